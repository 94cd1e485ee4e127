/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.doctor;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sparkstencil.jobs.command.ExitCode;
import io.sparkstencil.jobs.command.SparkCommand;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code stencil doctor}: what works here, what does not, and what to do about it. */
@Command(
    name = "doctor",
    description = "Tells what works on this machine, what does not, and what to do about it.",
    mixinStandardHelpOptions = true)
public final class DoctorCommand extends SparkCommand {
  @Option(names = "--json", description = "Write JSON in place of text.")
  private boolean json;

  @Override
  public Integer call() throws IOException {
    List<Check> checks = new Doctor(sparkOptions()).examine();
    boolean works = checks.stream().noneMatch(check -> check.state() == Check.State.BROKEN);
    PrintWriter out = out();
    if (json) {
      out.println(asJson(checks, works));
    } else {
      checks.forEach(check -> print(check, out));
      out.println(works ? "All that a job needs works." : "Something that a job needs is broken.");
    }
    return works ? ExitCode.DONE : ExitCode.FAILED;
  }

  private static void print(Check check, PrintWriter out) {
    out.printf("%-8s %-16s %s%n", nameOf(check.state()), check.subject(), check.finding());
    if (!check.remedy().isEmpty()) {
      out.printf("%-8s %-16s -> %s%n", "", "", check.remedy());
    }
  }

  private static String asJson(List<Check> checks, boolean works) throws IOException {
    ObjectMapper mapper = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);
    ObjectNode root = mapper.createObjectNode();
    root.put("works", works);
    ArrayNode list = root.putArray("checks");
    for (Check check : checks) {
      list.add(mapper.<ObjectNode>valueToTree(check).put("state", nameOf(check.state())));
    }
    return mapper.writeValueAsString(root);
  }

  private static String nameOf(Check.State state) {
    return state.name().toLowerCase(Locale.ROOT);
  }
}
