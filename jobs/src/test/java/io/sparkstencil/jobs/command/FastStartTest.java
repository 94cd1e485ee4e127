/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.jobs.HeldLock;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The archive of classes; a script of the shell stands for the JVM that makes it. */
final class FastStartTest {
  private static final String MAKES =
      "for word; do case \"$word\" in -XX:ArchiveClassesAtExit=*) echo made > \"${word#*=}\";; esac; done";

  @TempDir private Path folder;

  @Test
  void makesTheArchiveAndLeavesNothingElse() throws IOException {
    assertThat(make("stencil-1-1.jsa", MAKES)).contains("preparing fast starts");

    assertThat(folder.resolve("stencil-1-1.jsa")).hasContent("made\n");
    assertThat(names()).containsExactly("java", "stencil-1-1.jsa", "stencil-archive.lock");
  }

  @Test
  void keepsTheArchivesOfOtherJvmsAndRemovesThoseOfOlderBuilds() throws IOException {
    for (String name : List.of("stencil-1-1.jsa", "stencil-1-2.jsa", "stencil-77.jsa")) {
      Files.writeString(folder.resolve(name), "of a build before");
    }
    make("stencil-2-1.jsa", MAKES);
    make("stencil-2-2.jsa", MAKES);

    assertThat(names())
        .containsExactly("java", "stencil-2-1.jsa", "stencil-2-2.jsa", "stencil-archive.lock");
  }

  @Test
  void leavesItToTheProcessThatIsAtIt() throws IOException {
    try (HeldLock other = new HeldLock(folder.resolve("stencil-archive.lock"))) {
      assertThat(make("stencil-1-1.jsa", MAKES)).isEmpty();
      assertThat(folder.resolve("stencil-1-1.jsa")).doesNotExist();
      assertThat(other.isHeld()).isTrue();
    }
    assertThat(make("stencil-1-1.jsa", MAKES)).contains("preparing");
  }

  @Test
  void doesNotTryAgainWhereAJvmMakesNone() throws IOException {
    make("stencil-1-1.jsa", "exit 0");

    assertThat(folder.resolve("stencil-1-1.jsa")).isEmptyFile();
    assertThat(make("stencil-1-1.jsa", MAKES)).isEmpty();
  }

  @Test
  void leavesNoneWhereItIsInterrupted() throws IOException {
    make("stencil-1-1.jsa", MAKES + "; kill -9 $$");

    assertThat(names()).containsExactly("java", "stencil-archive.lock");
  }

  @Test
  void removesWhatAKilledProcessHasLeft() throws IOException {
    Path work = Files.createDirectory(folder.resolve("stencil-archive"));
    Files.writeString(work.resolve("classes.jsa"), "half");
    Files.writeString(folder.resolve("stencil-archive.lock"), "");

    make("stencil-1-1.jsa", MAKES);

    assertThat(names()).containsExactly("java", "stencil-1-1.jsa", "stencil-archive.lock");
    assertThat(folder.resolve("stencil-1-1.jsa")).hasContent("made\n");
  }

  @Test
  void handsOnNoOptionThatOpensAPortOrWritesAFile() {
    List<String> handedOn =
        List.of(
            "-XX:+IgnoreUnrecognizedVMOptions",
            "--add-modules=jdk.incubator.vector",
            "--add-opens=java.base/java.lang=ALL-UNNAMED",
            "--enable-native-access=ALL-UNNAMED",
            "-Djdk.reflect.useDirectMethodHandle=false",
            "-Dio.netty.tryReflectionSetAccessible=true",
            "-XX:Tier4InvocationThreshold=50000",
            "-Dlog4j2.configurationFile=file:/opt/stencil/conf/log4j2.properties",
            "-Djava.awt.headless=true",
            "-Djava.io.tmpdir=/tmp/mine",
            "-XX:+UseSerialGC",
            "-XX:-UseCompressedOops");
    List<String> kept =
        List.of(
            "-Xlog:gc*:file=gc.log",
            "-Xloggc:gc.log",
            "-Xmx4g",
            "-Xrunjdwp:transport=dt_socket,server=y,address=5005",
            "-Xdebug",
            "-agentlib:jdwp=transport=dt_socket,server=y,address=5005",
            "-agentpath:/opt/profiler.so=file=profile.html",
            "-javaagent:jmx_exporter.jar=9404:config.yaml",
            "-Dcom.sun.management.jmxremote.port=9010",
            "-Djava.rmi.server.hostname=localhost",
            "-Dlog4j2.configurationFile=file:/home/me/log4j2-to-a-file.xml",
            "-Dspark.ui.port=4040",
            "-Dspark.eventLog.dir=file:/logs",
            "-Djdk.internal.httpserver.port=8000",
            "-Dstencil.archive=a.jsa",
            "-XX:StartFlightRecording=filename=a.jfr",
            "-XX:HeapDumpPath=heap.hprof",
            "-XX:+HeapDumpOnOutOfMemoryError",
            "-XX:ErrorFile=hs_err.log",
            "-XX:OnOutOfMemoryError=kill %p",
            "-XX:+LogVMOutput",
            "-XX:LogFile=vm.log",
            "-XX:SharedArchiveFile=a.jsa",
            "-XX:ArchiveClassesAtExit=a.jsa");
    List<String> all = new ArrayList<>(kept);
    all.addAll(handedOn);

    assertThat(FastStart.handedOn(all)).isEqualTo(handedOn);
  }

  @Test
  void takesNoOptionsFromTheEnvironment() throws Exception {
    Path java = script("env > %s; %s".formatted(folder.resolve("env"), MAKES));
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
            Maker.class.getName(),
            folder.resolve("stencil-1-1.jsa").toString(),
            java.toString());
    builder.environment().put("JAVA_TOOL_OPTIONS", "-Dport=5005");
    builder.environment().put("JDK_JAVA_OPTIONS", "-Dport=5006");
    Process maker = builder.redirectErrorStream(true).start();

    assertThat(maker.inputReader().lines()).anyMatch(line -> line.contains("-Dport=5005"));
    assertThat(maker.waitFor()).isZero();
    assertThat(folder.resolve("stencil-1-1.jsa")).exists();
    assertThat(Files.readAllLines(folder.resolve("env")))
        .isNotEmpty()
        .noneMatch(line -> line.contains("-Dport"));
  }

  /** Makes an archive in a process of its own, whose environment is another. */
  static final class Maker {
    /** Makes the archive that the first argument names by the JVM that the second one does. */
    public static void main(String[] arguments) {
      new FastStart(Path.of(arguments[0]), List.of(arguments[1]))
          .make(new PrintWriter(System.out, true));
    }
  }

  /** Returns what is said. */
  private String make(String archive, String script) throws IOException {
    Path java = script(script);
    StringWriter said = new StringWriter();
    new FastStart(folder.resolve(archive), List.of(java.toString()))
        .make(new PrintWriter(said, true));
    return said.toString();
  }

  private Path script(String script) throws IOException {
    Path java = folder.resolve("java");
    Files.writeString(java, "#!/bin/bash\n" + script + "\n");
    assertThat(java.toFile().setExecutable(true)).isTrue();
    return java;
  }

  private List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }
}
