/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.columns;

import io.sparkstencil.spark.catalyst.interop.ScalaInterop;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.catalog.SupportsRead;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.catalog.TableProvider;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.connector.read.Batch;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.connector.read.Scan;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.execution.RowToColumnConverter;
import org.apache.spark.sql.execution.vectorized.OnHeapColumnVector;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import scala.collection.Iterator;

/** A source of tables whose columns are {@link StrictVector}s, in the memory of the test. */
public final class StrictSource implements TableProvider {
  private static final int PARTITIONS = 3;
  private static final int BATCH_ROWS = 70;
  private static final Map<String, Stored> TABLES = new ConcurrentHashMap<>();

  /** Rows of a table, in order, and their kind of columns. */
  private record Stored(StructType schema, List<InternalRow> rows, StrictVector.Kind kind) {}

  /** Stores the rows of a query, and returns a table of them. */
  static Dataset<Row> table(SparkSession spark, String sql, StrictVector.Kind kind) {
    var query = (org.apache.spark.sql.classic.Dataset<Row>) spark.sql(sql);
    List<InternalRow> rows = List.of(query.queryExecution().executedPlan().executeCollect());
    String name = "table" + TABLES.size();
    TABLES.put(name, new Stored(query.schema(), rows, kind));
    return spark.read().format(StrictSource.class.getName()).option("table", name).load();
  }

  private static Stored stored(Map<String, String> options) {
    return TABLES.get(options.get("table"));
  }

  @Override
  public StructType inferSchema(CaseInsensitiveStringMap options) {
    return stored(options).schema();
  }

  @Override
  public Table getTable(StructType schema, Transform[] parts, Map<String, String> options) {
    return new StrictTable(options.get("table"));
  }

  private record StrictTable(String name) implements SupportsRead {
    @Override
    public Set<TableCapability> capabilities() {
      return Set.of(TableCapability.BATCH_READ);
    }

    @Override
    @SuppressWarnings("deprecation") // the method that all lines of Spark have
    public StructType schema() {
      return TABLES.get(name).schema();
    }

    @Override
    public ScanBuilder newScanBuilder(CaseInsensitiveStringMap options) {
      return () -> new StrictScan(name);
    }
  }

  private record StrictScan(String name) implements Scan, Batch {
    @Override
    public StructType readSchema() {
      return TABLES.get(name).schema();
    }

    @Override
    public Batch toBatch() {
      return this;
    }

    @Override
    public InputPartition[] planInputPartitions() {
      return IntStream.range(0, PARTITIONS)
          .mapToObj(part -> new Part(name, part))
          .toArray(InputPartition[]::new);
    }

    @Override
    public PartitionReaderFactory createReaderFactory() {
      return new Columns();
    }
  }

  private record Part(String table, int number) implements InputPartition {
    private static final long serialVersionUID = 1L;

    List<ColumnarBatch> batches() {
      Stored stored = TABLES.get(table);
      int rows = stored.rows().size();
      List<InternalRow> own =
          stored.rows().subList(rows * number / PARTITIONS, rows * (number + 1) / PARTITIONS);
      RowToColumnConverter converter = new RowToColumnConverter(stored.schema());
      Iterator<InternalRow> each = ScalaInterop.seq(own).iterator();
      List<ColumnarBatch> batches = new ArrayList<>();
      while (each.hasNext()) {
        OnHeapColumnVector[] columns =
            OnHeapColumnVector.allocateColumns(BATCH_ROWS, stored.schema());
        int count = 0;
        for (; count < BATCH_ROWS && each.hasNext(); count++) {
          converter.convert(each.next(), columns);
        }
        batches.add(StrictVector.strict(new ColumnarBatch(columns, count), stored.kind()));
      }
      return batches;
    }
  }

  private record Columns() implements PartitionReaderFactory {
    private static final long serialVersionUID = 1L;

    @Override
    public boolean supportColumnarReads(InputPartition partition) {
      return true;
    }

    @Override
    public PartitionReader<InternalRow> createReader(InputPartition partition) {
      throw new UnsupportedOperationException("rows");
    }

    @Override
    public PartitionReader<ColumnarBatch> createColumnarReader(InputPartition partition) {
      List<ColumnarBatch> batches = ((Part) partition).batches();
      return new PartitionReader<>() {
        private int next;

        @Override
        public boolean next() {
          return next++ < batches.size();
        }

        @Override
        public ColumnarBatch get() {
          return batches.get(next - 1);
        }

        @Override
        public void close() {}
      };
    }
  }
}
