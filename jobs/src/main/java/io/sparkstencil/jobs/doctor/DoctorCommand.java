/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.doctor;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.sparkstencil.jobs.command.ExitCode;
import io.sparkstencil.jobs.command.SparkCommand;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code stencil doctor}: what works here, what does not, and what to do about it. */
@Command(
    name = "doctor",
    description = "Tells what works on this machine, what does not, and what to do about it.",
    mixinStandardHelpOptions = true)
public final class DoctorCommand extends SparkCommand {
  private static final ObjectWriter JSON =
      new ObjectMapper()
          .writer(
              SerializationFeature.INDENT_OUTPUT, SerializationFeature.WRITE_ENUMS_USING_TO_STRING);

  /** What {@code --json} writes. */
  private record Report(boolean works, List<Check> checks) {}

  @Option(names = "--json", description = "Write JSON in place of text.")
  private boolean json;

  @Override
  public Integer call() throws IOException {
    List<Check> checks = new Doctor(sparkOptions()).examine();
    boolean works = checks.stream().noneMatch(check -> check.state() == Check.State.BROKEN);
    PrintWriter out = out();
    if (json) {
      out.println(JSON.writeValueAsString(new Report(works, checks)));
    } else {
      checks.forEach(check -> print(check, out));
      out.println(works ? "All that a job needs works." : "Something that a job needs is broken.");
    }
    return works ? ExitCode.DONE : ExitCode.FAILED;
  }

  private static void print(Check check, PrintWriter out) {
    out.printf("%-8s %-16s %s%n", check.state(), check.subject(), check.finding());
    if (!check.remedy().isEmpty()) {
      out.printf("%-8s %-16s -> %s%n", "", "", check.remedy());
    }
  }
}
