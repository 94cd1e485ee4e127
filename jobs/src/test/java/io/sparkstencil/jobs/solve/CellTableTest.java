/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.solve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparkstencil.error.BadDataException;
import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.grid.PointSource;
import io.sparkstencil.grid.Receiver;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class CellTableTest {
  private static final List<String> AXES = List.of("x", "y");

  @TempDir private Path folder;

  private Path file(String text) throws IOException {
    return Files.writeString(folder.resolve("cells.csv"), text);
  }

  @Test
  void rowsOfOneCellAreOneSource() throws IOException {
    Path csv =
        file("# two pulses\nfield,x,y,step,value\nu, 3, 4, 2, 0.5\nu,0,0,0,-1\n\nu,3,4,0,1e3\n");

    List<PointSource> sources = CellTable.sources("--source", csv, AXES);

    assertThat(sources).hasSize(2);
    assertThat(sources.get(0).field()).isEqualTo("u");
    assertThat(sources.get(0).cell()).containsExactly(3, 4);
    assertThat(sources.get(0).series()).containsExactly(1000, 0, 0.5);
    assertThat(sources.get(1).cell()).containsExactly(0, 0);
    assertThat(sources.get(1).series()).containsExactly(-1);
  }

  @Test
  void receiversHaveNames() throws IOException {
    List<Receiver> receivers =
        CellTable.receivers("--receivers", file("name,field,x,y\nnorth,u,1,20\n"), AXES);

    assertThat(receivers).hasSize(1);
    assertThat(receivers.get(0).name()).isEqualTo("north");
    assertThat(receivers.get(0).field()).isEqualTo("u");
    assertThat(receivers.get(0).cell()).containsExactly(1, 20);
  }

  @Test
  void samplesHaveTheTimeAfterEachStep() throws IOException {
    Map<String, double[]> samples = new LinkedHashMap<>();
    samples.put("north", new double[] {1, 0.1});
    samples.put("south", new double[] {-2, Double.NaN});

    Path csv = folder.resolve("samples.csv");
    CellTable.writeSamples(csv, samples, 2, 0.5);

    assertThat(csv).hasContent("step,time,north,south\n1,0.5,1.0,-2.0\n2,1.0,0.1,NaN");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "field,x,step,value|line 1: the columns [field, x, step, value]; expected [field, x, y,"
            + " step, value]",
        "field,x,y,step,value;u,1,2,3|line 2: 4 values for 5 columns",
        "field,x,y,step,value;u,1,a,3,4|line 2: \"a\" is no whole number for y",
        "field,x,y,step,value;u,1,2,3,much|line 2: \"much\" is no number for value",
        "field,x,y,step,value;u,1,2,-3,4|line 2: step -3; use 0 to 99999999",
        "field,x,y,step,value;u,1,2,3,4;u,1,2,3,5|line 3: a second value for step 3 of the same"
            + " cell",
        "#|is empty; its first line has the columns"
      })
  void saysWhichLineIsWrong(String text, String message) throws IOException {
    Path csv = file(text.replace(';', '\n'));

    assertThatThrownBy(() -> CellTable.sources("--source", csv, AXES))
        .isInstanceOf(BadDataException.class)
        .hasMessageContaining(message);
  }

  @Test
  void refusesAFileThatIsNotThere() {
    Path absent = folder.resolve("absent.csv");

    assertThatThrownBy(() -> CellTable.receivers("--receivers", absent, AXES))
        .isInstanceOf(InvalidStencilException.class)
        .hasMessageContaining("--receivers " + absent + " does not exist; check the path");
  }
}
