/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import javax.tools.ToolProvider;
import scala.Console;

/**
 * A program in one source file of Java or Scala, an example or one of a guide, compiled and run
 * within the test's process; it joins the Spark that runs there.
 *
 * @param source the file, which has the name of its class or object
 */
public record UserProgram(Path source) {
  private static final String SCALA = ".scala";

  /**
   * Compiles the program and returns what its main method prints.
   *
   * @param folder where the folder of its classes goes
   */
  public String run(Path folder, String... arguments) throws Exception {
    Path classes = Files.createTempDirectory(folder, "classes");
    String file = source.getFileName().toString();
    if (file.endsWith(SCALA) ? !compilesScala(classes) : !compilesJava(classes)) {
      throw new IllegalArgumentException(source + " does not compile");
    }
    String name = file.substring(0, file.lastIndexOf('.'));
    try (URLClassLoader loader = new URLClassLoader(new URL[] {classes.toUri().toURL()})) {
      Class<?> program = loader.loadClass(name);
      return printed(
          () -> program.getMethod("main", String[].class).invoke(null, (Object) arguments));
    }
  }

  private boolean compilesJava(Path classes) {
    List<String> arguments = arguments(classes);
    Collections.addAll(arguments, "-proc:none");
    return ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, arguments.toArray(String[]::new))
        == 0;
  }

  private boolean compilesScala(Path classes) {
    List<String> arguments = arguments(classes);
    Collections.addAll(arguments, "-deprecation", "-Xlint", "-Werror");
    return scala.tools.nsc.Main.process(arguments.toArray(String[]::new))
        && !scala.tools.nsc.Main.reporter().hasErrors();
  }

  /** Returns the options that both compilers have. */
  private List<String> arguments(Path classes) {
    String classPath =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    return new ArrayList<>(
        List.of("-classpath", classPath, "-d", classes.toString(), source.toString()));
  }

  /** Some work that prints. */
  private interface Printing {
    void run() throws Exception;
  }

  /** Returns what is printed by Java, and by Scala, which remembers where that was before. */
  private static String printed(Printing work) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    PrintStream stream = new PrintStream(bytes, true, StandardCharsets.UTF_8);
    PrintStream before = System.out;
    System.setOut(stream);
    try {
      Exception failure =
          Console.withOut(
              stream,
              () -> {
                try {
                  work.run();
                  return null;
                } catch (Exception e) {
                  return e;
                }
              });
      if (failure != null) {
        throw failure;
      }
    } finally {
      System.setOut(before);
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }
}
