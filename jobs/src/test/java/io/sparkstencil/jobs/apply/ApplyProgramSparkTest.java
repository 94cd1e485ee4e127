/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.apply;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.jobs.CommandRun;
import io.sparkstencil.jobs.TestSpark;
import io.sparkstencil.jobs.command.ExitCode;
import io.sparkstencil.jobs.files.TableFormat;
import io.sparkstencil.model.Accuracy;
import io.sparkstencil.model.ElementType;
import io.sparkstencil.program.Extent;
import io.sparkstencil.program.ParameterValues;
import io.sparkstencil.program.ProgramArrays;
import io.sparkstencil.program.StencilProgram;
import io.sparkstencil.program.text.BoundaryText;
import io.sparkstencil.program.text.ProgramText;
import io.sparkstencil.reference.ProgramReference;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The op {@code expr} of the command {@code apply}. */
final class ApplyProgramSparkTest {
  @RegisterExtension static final TestSpark SPARK = new TestSpark();

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(ints = {1, 7})
  void theTableHoldsTheBitsOfTheReference(int partitions) throws IOException {
    CommandRun run =
        CommandRun.of(
            "apply",
            "--input",
            SeattleWeather.CSV.toString(),
            "--order-by=date",
            "--column=temp_max",
            "--op=expr",
            "--expression=u + c*(u[-1] - 2*u + u[1])",
            "--parameter=c=0.24",
            "--steps=50",
            "--boundary=x.low=mirror, x.high=constant:7",
            "--accuracy=fma",
            "--conf=spark.sql.shuffle.partitions=" + partitions,
            "--output=" + folder.resolve("out.parquet"),
            "--as=smooth");

    assertThat(run.exitCode()).as(run.err()).isZero();
    StencilProgram program =
        BoundaryText.apply(
                ProgramText.parse("u + c*(u[-1] - 2*u + u[1])", 1),
                "x.low=mirror, x.high=constant:7")
            .withAccuracy(Accuracy.FMA);
    double[] cells =
        Stream.of(SeattleWeather.column("temp_max")).mapToDouble(Double::doubleValue).toArray();
    ProgramReference.run(
        program,
        new ProgramArrays(ElementType.F64, Extent.of(cells.length), List.of(cells)),
        ParameterValues.of(program, Map.of("c", 0.24)),
        50);
    List<Row> rows =
        TableFormat.PARQUET
            .read(SPARK.session(), folder.resolve("out.parquet").toString())
            .sort("date")
            .collectAsList();
    assertThat(rows.stream().map(row -> row.<Double>getAs("smooth")).toList())
        .containsExactlyElementsOf(Arrays.stream(cells).boxed().toList());
  }

  @Test
  void orderedInputWithKeysHasNoEndsForWrap() throws IOException {
    CommandRun run =
        CommandRun.of(
            "apply",
            "--input=" + SeattleWeather.CSV,
            "--order-by=date",
            "--partition-by=weather",
            "--column=temp_max",
            "--op=mean",
            "--radius=1",
            "--boundary=wrap",
            "--ordered",
            "--output=" + folder.resolve("out.parquet"));

    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err()).contains("boundary wrap needs both ends of a series in one task");
  }
}
