/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs;

import io.sparkstencil.jobs.apply.ApplyCommand;
import io.sparkstencil.jobs.command.ExitCode;
import io.sparkstencil.jobs.command.Failure;
import io.sparkstencil.jobs.command.SparkCommand;
import io.sparkstencil.jobs.command.StencilVersion;
import io.sparkstencil.jobs.demo.DemoCommand;
import io.sparkstencil.jobs.doctor.DoctorCommand;
import io.sparkstencil.jobs.tune.TuneCommand;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;

/**
 * The {@code stencil} command. Results go to the output stream; errors, one line each, and progress
 * to the error stream. Exit codes: 0 done, 2 wrong usage, 3 bad data, 1 anything else.
 */
@Command(
    name = "stencil",
    description = "Stencils over long ordered columns, on Apache Spark.",
    footer = {"", "bin/stencil java FILE.java | CLASS ...   runs a program of yours with Spark"},
    mixinStandardHelpOptions = true,
    versionProvider = StencilVersion.class,
    subcommands = {DemoCommand.class, ApplyCommand.class, DoctorCommand.class, TuneCommand.class})
public final class StencilCommand implements Runnable {
  @Spec private CommandSpec command;

  /** Runs the command and ends the process with its exit code. */
  public static void main(String[] arguments) {
    int exitCode =
        execute(
            new PrintWriter(System.out, true, StandardCharsets.UTF_8),
            new PrintWriter(System.err, true, StandardCharsets.UTF_8),
            arguments);
    System.exit(exitCode);
  }

  /** Runs the command within this process and returns its {@link ExitCode}. */
  static int execute(PrintWriter out, PrintWriter err, String... arguments) {
    CommandLine line = new CommandLine(new StencilCommand());
    CommandSpec tune = line.getSubcommands().get("tune").getCommandSpec();
    tune.remove(tune.findOption("--master")); // it measures the GPU of this machine
    return line.setOut(out)
        .setErr(err)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setUsageHelpAutoWidth(true)
        .setParameterExceptionHandler((exception, args) -> reportUsage(exception))
        .setExecutionExceptionHandler(StencilCommand::reportFailure)
        .execute(arguments);
  }

  @Override
  public void run() {
    throw new ParameterException(
        command.commandLine(), "no command given; say demo, apply, doctor or tune");
  }

  private static int reportUsage(ParameterException exception) {
    CommandLine commandLine = exception.getCommandLine();
    String line = exception.getMessage().strip().replaceAll("\\s*\\R\\s*", " ");
    commandLine
        .getErr()
        .printf(
            "stencil: %s (see bin/%s --help)%n",
            line, commandLine.getCommandSpec().qualifiedName(" "));
    return ExitCode.USAGE;
  }

  private static int reportFailure(
      Exception exception, CommandLine commandLine, ParseResult parsed) {
    Failure failure = Failure.of(exception);
    commandLine.getErr().println("stencil: " + failure.line());
    if (commandLine.getCommand() instanceof SparkCommand command
        && command.sparkOptions().verbose()) {
      exception.printStackTrace(commandLine.getErr());
    }
    return failure.exitCode();
  }
}
