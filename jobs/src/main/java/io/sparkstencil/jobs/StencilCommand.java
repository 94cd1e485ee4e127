/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs;

import io.sparkstencil.error.InvalidStencilException;
import io.sparkstencil.jobs.apply.ApplyCommand;
import io.sparkstencil.jobs.bench.BenchCommand;
import io.sparkstencil.jobs.command.ExitCode;
import io.sparkstencil.jobs.command.Failure;
import io.sparkstencil.jobs.command.FastStart;
import io.sparkstencil.jobs.command.FullDisk;
import io.sparkstencil.jobs.command.PrintableWriter;
import io.sparkstencil.jobs.command.SparkCommand;
import io.sparkstencil.jobs.command.StencilVersion;
import io.sparkstencil.jobs.command.Subcommand;
import io.sparkstencil.jobs.command.UsageMessage;
import io.sparkstencil.jobs.demo.DemoCommand;
import io.sparkstencil.jobs.doctor.DoctorCommand;
import io.sparkstencil.jobs.draw.DrawCommand;
import io.sparkstencil.jobs.solve.SolveCommand;
import io.sparkstencil.jobs.tune.TuneCommand;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.ServiceLoader;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * The {@code stencil} command. Results go to the output stream; errors, one line each, and progress
 * to the error stream. Exit codes: 0 done, 2 wrong usage, 3 bad data, 1 anything else.
 */
@Command(
    name = "stencil",
    description = "Stencils over long ordered columns, on Apache Spark.",
    footer = {
      "",
      "bin/stencil COMMAND --help               says what a command does, and all of its options",
      "bin/stencil install DIR                  makes a distribution for an installed Spark",
      "bin/stencil java FILE.java | CLASS ...   runs your own program with Spark"
    },
    mixinStandardHelpOptions = true,
    versionProvider = StencilVersion.class,
    subcommands = {
      DemoCommand.class,
      ApplyCommand.class,
      DrawCommand.class,
      SolveCommand.class,
      DoctorCommand.class,
      TuneCommand.class,
      BenchCommand.class
    })
public final class StencilCommand implements Runnable {
  @Spec private CommandSpec command;

  /** Runs the command and ends the process with its exit code. */
  public static void main(String[] arguments) {
    PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
    Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> endWithout(thread, thrown, err));
    PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
    CommandLine line = commandLine(out, err);
    int code = execute(line, arguments);
    if (code == ExitCode.DONE && hasRunSpark(line)) {
      FastStart.prepare(StencilCommand.class.getName(), err);
    }
    System.exit(code);
  }

  /** A thread of Spark's that has no memory is never heard of again: the command would wait. */
  private static void endWithout(Thread thread, Throwable thrown, PrintWriter err) {
    if (thrown instanceof OutOfMemoryError) {
      Failure failure = Failure.of(thrown);
      err.println("stencil: " + failure.line());
      Runtime.getRuntime().halt(failure.exitCode());
    }
    err.println("stencil: in thread " + thread.getName());
    thrown.printStackTrace(err);
  }

  /** Runs the command within this process and returns its {@link ExitCode}. */
  static int execute(PrintWriter out, PrintWriter err, String... arguments) {
    return execute(commandLine(out, err), arguments);
  }

  /** Returns the command as it is before a call. */
  @SuppressWarnings("deprecation") // "most applications should not": names of columns hold quotes
  static CommandLine commandLine(PrintWriter out, PrintWriter err) {
    CommandLine line = new CommandLine(new StencilCommand());
    ServiceLoader.load(Subcommand.class, StencilCommand.class.getClassLoader())
        .forEach(beside -> line.addSubcommand(beside.command()));
    for (String local : List.of("tune", "draw")) { // which run on this machine alone
      CommandSpec spec = line.getSubcommands().get(local).getCommandSpec();
      spec.remove(spec.findOption("--master"));
    }
    return line.setOut(out)
        .setErr(new PrintWriter(new PrintableWriter(err), true))
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setUsageHelpAutoWidth(true)
        .setSplitQuotedStrings(true) // a quote in the name of a column is a character as any other
        .setParameterExceptionHandler(StencilCommand::reportUsage)
        .setExecutionExceptionHandler(StencilCommand::reportFailure);
  }

  static int execute(CommandLine line, String... arguments) {
    try {
      return line.execute(arguments);
    } catch (OutOfMemoryError e) { // which picocli does not pass to the handler
      Failure failure = Failure.of(e);
      line.getErr().println("stencil: " + failure.line());
      return failure.exitCode();
    }
  }

  /** Tells whether the last call has had Spark run in this process. */
  static boolean hasRunSpark(CommandLine line) {
    return line.getSubcommands().values().stream()
        .map(CommandLine::<Object>getCommand)
        .anyMatch(
            command -> command instanceof SparkCommand spark && spark.sparkOptions().startedHere());
  }

  @Override
  public void run() {
    throw new ParameterException(
        command.commandLine(),
        "no command given; choose "
            + String.join(", ", command.subcommands().keySet())
                .replaceFirst(", ([^,]+)$", " or $1"));
  }

  private static int reportUsage(ParameterException exception, String[] arguments) {
    CommandLine commandLine = exception.getCommandLine();
    commandLine
        .getErr()
        .printf(
            "stencil: %s (see bin/%s --help)%n",
            said(exception, arguments), commandLine.getCommandSpec().qualifiedName(" "));
    return ExitCode.USAGE;
  }

  private static String said(ParameterException exception, String... arguments) {
    return exception instanceof MissingParameterException missing
        ? said(missing, arguments)
        : UsageMessage.of(exception, List.of(arguments));
  }

  /**
   * Returns what to say where options are missing. One may be missing because its name is misspelt,
   * and where only the output is missing, what is wrong with the other options comes first.
   */
  private static String said(MissingParameterException missing, String... arguments) {
    CommandLine line = missing.getCommandLine();
    line.getCommandSpec().parser().collectErrors(true);
    List<String> words = List.of(arguments);
    int from = words.indexOf(line.getCommandName()) + 1;
    ParseResult all = line.parseArgs(Arrays.copyOfRange(arguments, from, arguments.length));
    for (Exception each : all.errors()) {
      if (each instanceof UnmatchedArgumentException misspelt) {
        return UsageMessage.of(misspelt, words);
      }
    }
    if (!(line.getCommand() instanceof SparkCommand command)) {
      return UsageMessage.of(missing, words);
    }
    List<String> more = command.missingOptions();
    if (more.isEmpty() && missing.getMissing().stream().allMatch(StencilCommand::isOutput)) {
      try {
        command.requireOptions();
      } catch (InvalidStencilException e) {
        return Failure.of(e).line();
      }
    }
    return UsageMessage.ofMissing(missing, more);
  }

  private static boolean isOutput(ArgSpec missing) {
    return missing instanceof OptionSpec option && option.longestName().equals("--output");
  }

  private static int reportFailure(
      Exception exception, CommandLine commandLine, ParseResult parsed) {
    Failure failure = Failure.of(exception);
    if (commandLine.getCommand() instanceof SparkCommand command && !command.places().isEmpty()) {
      failure =
          FullDisk.explain(exception, command.sparkOptions().localFolders(), command.places())
              .orElse(failure);
    }
    commandLine.getErr().println("stencil: " + failure.line());
    if (commandLine.getCommand() instanceof SparkCommand command
        && command.sparkOptions().verbose()) {
      exception.printStackTrace(commandLine.getErr());
    }
    return failure.exitCode();
  }
}
