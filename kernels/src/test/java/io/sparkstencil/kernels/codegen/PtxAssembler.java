/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.codegen;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import jcuda.nvptxcompiler.JNvPTXCompiler;
import jcuda.nvptxcompiler.nvPTXCompilerHandle;

/** Assembles PTX without a GPU: by the compiler library that JCuda brings, or by ptxas. */
public final class PtxAssembler {
  private static final Pattern REGISTERS = Pattern.compile("Used (\\d+) registers");
  private static final Pattern SHARED = Pattern.compile("(\\d+) bytes smem");
  private static final Pattern SPILLS =
      Pattern.compile(
          "(\\d+) bytes stack frame, (\\d+) bytes spill stores, (\\d+) bytes spill loads");

  private PtxAssembler() {}

  /** What the assembler says of a kernel. */
  public record Report(
      boolean accepted, int registers, int sharedBytes, int spilledBytes, String log) {
    private static Report parse(boolean accepted, String log) {
      Matcher registers = REGISTERS.matcher(log);
      Matcher shared = SHARED.matcher(log);
      Matcher spills = SPILLS.matcher(log);
      int spilled = 0;
      while (spills.find()) {
        spilled +=
            Integer.parseInt(spills.group(1))
                + Integer.parseInt(spills.group(2))
                + Integer.parseInt(spills.group(3));
      }
      return new Report(
          accepted,
          registers.find() ? Integer.parseInt(registers.group(1)) : 0,
          shared.find() ? Integer.parseInt(shared.group(1)) : 0,
          spilled,
          log);
    }
  }

  /** Assembles for {@code architecture}, 90 for sm_90, with the bundled compiler. */
  public static Report bundled(String ptx, int architecture) {
    byte[] text = (ptx + "\0").getBytes(StandardCharsets.US_ASCII);
    nvPTXCompilerHandle handle = new nvPTXCompilerHandle();
    JNvPTXCompiler.nvPTXCompilerCreate(handle, text.length, text);
    try {
      String[] options = {"--gpu-name=sm_" + architecture, "--verbose"};
      int result = JNvPTXCompiler.nvPTXCompilerCompile(handle, options.length, options);
      long[] bytes = new long[1];
      JNvPTXCompiler.nvPTXCompilerGetInfoLogSize(handle, bytes);
      byte[] info = new byte[(int) bytes[0] + 1];
      JNvPTXCompiler.nvPTXCompilerGetInfoLog(handle, info);
      JNvPTXCompiler.nvPTXCompilerGetErrorLogSize(handle, bytes);
      byte[] errors = new byte[(int) bytes[0] + 1];
      JNvPTXCompiler.nvPTXCompilerGetErrorLog(handle, errors);
      return Report.parse(result == 0, text(info) + text(errors));
    } finally {
      JNvPTXCompiler.nvPTXCompilerDestroy(handle);
    }
  }

  private static String text(byte[] log) {
    int length = 0;
    while (length < log.length && log[length] != 0) {
      length++;
    }
    return new String(log, 0, length, StandardCharsets.US_ASCII);
  }

  /** Returns the assembler of an installed toolkit, if there is one. */
  public static Optional<Path> installed() {
    String[] folders = System.getenv().getOrDefault("PATH", "").split(":");
    return Arrays.stream(folders)
        .map(folder -> Path.of(folder, "ptxas"))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /** Assembles with an installed ptxas. */
  public static Report with(Path ptxas, String ptx, int architecture) {
    try {
      Path file = Files.createTempFile("kernel", ".ptx");
      try {
        Files.writeString(file, ptx);
        Process process =
            new ProcessBuilder(
                    List.of(
                        ptxas.toString(),
                        "-v",
                        "-arch=sm_" + architecture,
                        file.toString(),
                        "-o",
                        "/dev/null"))
                .redirectErrorStream(true)
                .start();
        String log = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return Report.parse(process.waitFor() == 0, log);
      } finally {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
