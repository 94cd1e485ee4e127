/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.benchmarks.harness;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A script that measures a library of Python and prints JSON. */
public final class PythonScript {
  private PythonScript() {}

  /**
   * Runs a script.
   *
   * @return what it has printed; nothing if Python, or a library that it needs, is not here
   */
  public static Optional<JsonNode> run(Path script, List<?> arguments) throws IOException {
    // -B: folders of sources stay clean
    List<String> command = new ArrayList<>(List.of("python3", "-B", script.toString()));
    arguments.forEach(argument -> command.add(argument.toString()));
    String output;
    try {
      Process process =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
      output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      output = ""; // there is no Python
    }
    return output.isBlank() ? Optional.empty() : Optional.of(new ObjectMapper().readTree(output));
  }
}
