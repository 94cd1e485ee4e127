/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.plan;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.expressions.XXH64;
import org.apache.spark.unsafe.Platform;
import scala.jdk.javaapi.CollectionConverters;

/**
 * What Spark once answered to queries of tests, as digests of a query with all of its rows. Rows of
 * ours that are among them are Spark's, and Spark is not asked again, which takes more time than
 * ours; it is asked about all others, those of new queries and of other releases of Spark or Java
 * too. A digest that nothing has any more is of no harm.
 *
 * <p>With {@code -Dstencil.answers=asked} Spark is asked about all queries, and with {@code
 * written} what it answers to those that are not known is added to the file.
 */
final class KnownAnswers {
  private static final String NAME = "known-answers.txt";
  private static final String MODE = System.getProperty("stencil.answers", "known");

  private static final Set<String> KNOWN = MODE.equals("asked") ? Set.of() : stored();
  private static final Set<String> NEW = new TreeSet<>();

  /** Seeds of the two halves of a digest. */
  private static final long[] SEEDS = {0x243F6A8885A308D3L, 0x13198A2E03707344L};

  /**
   * Settings that are no part of what a query means: where things are, in folders that each run has
   * of its own, whether code is compiled, and what {@link WindowPlans#expected} sets when it asks.
   */
  private static final List<String> NO_PART =
      List.of(
          "spark.sql.warehouse.dir",
          "spark.sql.catalog.",
          "spark.sql.extensions",
          "spark.sql.adaptive.",
          "spark.sql.codegen.",
          "spark.sql.shuffle.partitions");

  static {
    if (MODE.equals("written")) {
      Runtime.getRuntime().addShutdownHook(new Thread(KnownAnswers::write));
    }
  }

  private KnownAnswers() {}

  /** Tells whether Spark is known to have answered what has a digest. */
  static boolean has(String digest) {
    return KNOWN.contains(digest);
  }

  /** Takes down that Spark has answered what has a digest. */
  static synchronized void add(String digest) {
    if (MODE.equals("written")) {
      NEW.add(digest);
    }
  }

  /** Returns the digest of a query with its rows in their order, in words. */
  static String digest(SparkSession spark, String sql, List<String> rows) {
    byte[] text = String.join("\n", rows).getBytes(UTF_8);
    return digest(spark, sql, LongStream.of(SEEDS).map(seed -> hash(text, seed)).toArray());
  }

  /** Returns the digest of a query with its rows in whatever order: the sums of their hashes. */
  static String digest(SparkSession spark, String sql, Row[] rows) {
    return digest(spark, sql, RowHashes.sums(rows, SEEDS));
  }

  /**
   * Not for secrets: it tells rows apart that are not alike by intent, and is quick.
   *
   * @param rows the hashes of all rows, by seed
   */
  private static String digest(SparkSession spark, String sql, long[] rows) {
    byte[] query = (spark.version() + '\n' + settings(spark) + '\n' + sql).getBytes(UTF_8);
    ByteBuffer digest = ByteBuffer.allocate(Long.BYTES * SEEDS.length);
    for (int i = 0; i < SEEDS.length; i++) {
      digest.putLong(XXH64.hashLong(rows[i], hash(query, SEEDS[i])));
    }
    return Base64.getEncoder().withoutPadding().encodeToString(digest.array());
  }

  private static long hash(byte[] bytes, long seed) {
    return XXH64.hashUnsafeBytes(bytes, Platform.BYTE_ARRAY_OFFSET, bytes.length, seed);
  }

  /** Returns what a session sets of Spark's SQL, which may be what a query means. */
  private static String settings(SparkSession spark) {
    return CollectionConverters.asJava(spark.conf().getAll()).entrySet().stream()
        .filter(each -> each.getKey().startsWith("spark.sql."))
        .filter(each -> NO_PART.stream().noneMatch(each.getKey()::startsWith))
        .sorted(Map.Entry.comparingByKey())
        .map(Map.Entry::toString)
        .collect(Collectors.joining("\n"));
  }

  private static Set<String> stored() {
    try (InputStream stored = KnownAnswers.class.getResourceAsStream(NAME)) {
      return stored == null ? Set.of() : lines(stored.readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Set<String> lines(byte[] text) {
    return new String(text, UTF_8).lines().collect(Collectors.toSet());
  }

  /** Adds what is new to the file, to which other processes add theirs. */
  private static void write() {
    Path file =
        Path.of(
            System.getProperty("stencil.home"),
            "spark-windows/src/test/resources",
            KnownAnswers.class.getPackageName().replace('.', '/'),
            NAME);
    try (FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      channel.lock(); // until it is closed
      Set<String> all = new TreeSet<>(NEW);
      all.addAll(lines(Channels.newInputStream(channel).readAllBytes()));
      channel.truncate(0);
      channel.write(ByteBuffer.wrap((String.join("\n", all) + "\n").getBytes(UTF_8)), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
