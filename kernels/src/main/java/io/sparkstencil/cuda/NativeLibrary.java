/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cuda;

import java.io.File;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Loads JCuda's native library, once per process.
 *
 * <p>JCuda unpacks it to a fixed name under {@code java.io.tmpdir} and loads whatever file it finds
 * there: another process may be half way through writing it, or another user may have put it there.
 * So while it loads, {@code java.io.tmpdir} names a new directory that only this process knows.
 */
final class NativeLibrary {
  private static final String TEMPORARY_DIRECTORY = "java.io.tmpdir";

  /** What the names of JCuda's files begin with. */
  private static final String UNPACKED = "libJCuda";

  /** What the names of our directories begin with. */
  private static final String DIRECTORY = "spark-stencil-";

  /** Loading takes seconds: what is older was left by a process that was killed. */
  private static final Duration OLD = Duration.ofDays(1);

  private static final System.Logger LOG = System.getLogger(NativeLibrary.class.getName());

  private NativeLibrary() {}

  /** Returns why the library cannot be loaded, or empty if it is loaded now. */
  static Optional<String> load() {
    Optional<String> unsupported =
        unsupportedPlatform(System.getProperty("os.name"), System.getProperty("os.arch"));
    return unsupported.isPresent() ? unsupported : loadFromPrivateDirectory();
  }

  /** Returns why this system has no native library, or empty. */
  static Optional<String> unsupportedPlatform(String system, String architecture) {
    boolean linux = system.toLowerCase(Locale.ROOT).startsWith("linux");
    boolean x86 = architecture.equals("amd64") || architecture.equals("x86_64");
    return linux && x86
        ? Optional.empty()
        : Optional.of(
            "GPU support is there for Linux on x86-64, but this is %s on %s; the CPU engine runs anywhere"
                .formatted(system, architecture));
  }

  private static Optional<String> loadFromPrivateDirectory() {
    String shared = System.getProperty(TEMPORARY_DIRECTORY);
    Path directory = null;
    try {
      settleWhereOthersPutTheirs();
      removeLeft(Path.of(shared));
      directory = Files.createTempDirectory(DIRECTORY);
      System.setProperty(TEMPORARY_DIRECTORY, directory.toString());
      Class.forName("jcuda.driver.JCudaDriver");
      return Optional.empty();
    } catch (IOException | SecurityException e) {
      return Optional.of(
          "the native library cannot be unpacked under %s=%s (%s); name a writable directory with -Djava.io.tmpdir"
              .formatted(TEMPORARY_DIRECTORY, shared, e.getMessage()));
    } catch (ClassNotFoundException | NoClassDefFoundError e) {
      return Optional.of(
          "the JCuda jar is not on the class path (%s); use the complete Spark Stencil jar"
              .formatted(e.getMessage()));
    } catch (LinkageError e) {
      return Optional.of(explain(String.valueOf(e.getMessage())));
    } finally {
      System.setProperty(TEMPORARY_DIRECTORY, shared);
      deleteUnpacked(directory);
    }
  }

  /**
   * Has {@link File} read the property, which it does when it first makes a temporary file, before
   * another thread can have it find our directory there, for good.
   */
  private static void settleWhereOthersPutTheirs() throws IOException {
    Files.delete(File.createTempFile(DIRECTORY, null).toPath());
  }

  /** Returns the reason for a library that does not link, in words for the user. */
  static String explain(String message) {
    if (message.contains("libcuda.so")) {
      return "there is no NVIDIA driver here: libcuda.so.1 cannot be loaded; install the driver, or in a container run with the NVIDIA runtime";
    }
    if (message.contains("No resource found")) {
      return "the native library of JCuda is not on the class path; use the complete Spark Stencil jar";
    }
    if (message.contains("failed to map segment")) {
      return "the native library cannot be loaded from a directory mounted noexec; name another with -Djava.io.tmpdir";
    }
    return "the native library of JCuda does not load: "
        + message.lines().filter(line -> !line.isBlank()).findFirst().orElse("no reason given");
  }

  /** Deletes what processes that were killed while they loaded have unpacked. */
  static void removeLeft(Path parent) {
    Instant old = Instant.now().minus(OLD);
    try (DirectoryStream<Path> all = Files.newDirectoryStream(parent, DIRECTORY + "*")) {
      for (Path each : all) {
        if (Files.isDirectory(each, LinkOption.NOFOLLOW_LINKS)
            && Files.getLastModifiedTime(each).toInstant().isBefore(old)) {
          deleteUnpacked(each);
          LOG.log(System.Logger.Level.INFO, "removed what a killed process has left in {0}", each);
        }
      }
    } catch (IOException e) {
      LOG.log(System.Logger.Level.DEBUG, "cannot look for what was left in " + parent, e);
    }
  }

  /**
   * Deletes what was unpacked: once loaded, a library lives on without its file. Other threads may
   * have unpacked theirs meanwhile; these stay, and the directory with them.
   */
  private static void deleteUnpacked(Path directory) {
    if (directory == null) {
      return;
    }
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.toList()) {
        if (file.getFileName().toString().startsWith(UNPACKED)) {
          Files.deleteIfExists(file);
        }
      }
      Files.deleteIfExists(directory);
    } catch (IOException e) {
      LOG.log(System.Logger.Level.DEBUG, "cannot delete " + directory, e);
    }
  }
}
