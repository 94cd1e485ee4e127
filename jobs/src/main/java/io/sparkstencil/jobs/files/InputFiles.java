/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.files;

import io.sparkstencil.error.InvalidStencilException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;

/** The files of an input, as far as they say in what format they are. */
public final class InputFiles {
  /** The characters that make a pattern of a path, and the one that makes them usual again. */
  private static final Pattern SPECIAL = Pattern.compile("[\\[\\]{}*?\\\\]");

  private final String input;
  private final String pattern;
  private final FileSystem files;
  private final FileStatus[] found;

  private InputFiles(String input, String pattern, FileSystem files, FileStatus[] found) {
    this.input = input;
    this.pattern = pattern;
    this.files = files;
    this.found = found;
  }

  /**
   * Returns the files at {@code input}: a file or folder of that very name, or else a pattern.
   *
   * @throws InvalidStencilException if there are none, or only an empty folder
   */
  public static InputFiles at(String input, Configuration configuration) {
    try {
      Path path = new Path(input);
      FileSystem files = path.getFileSystem(configuration);
      String pattern = files.exists(path) ? SPECIAL.matcher(input).replaceAll("\\\\$0") : input;
      FileStatus[] found = files.globStatus(new Path(pattern));
      if (found == null || found.length == 0) {
        throw absent(input, files, path);
      }
      requireRegular(input, files, found, false);
      InputFiles result = new InputFiles(input, pattern, files, found);
      if (found.length == 1
          && found[0].isDirectory()
          && result.firstFile(files.listStatus(found[0].getPath())) == null) {
        throw new InvalidStencilException(
            "--input %s has no files; names that begin with . or _ are not read".formatted(input));
      }
      return result;
    } catch (IllegalArgumentException | IOException e) {
      throw unreachable(input, e);
    }
  }

  /** Spark would wait for what comes out of a pipe, also of one inside a folder. */
  private static void requireRegular(
      String input, FileSystem files, FileStatus[] listed, boolean inside) throws IOException {
    for (FileStatus each : listed) {
      if (files instanceof LocalFileSystem local
          && !(inside && isHidden(each.getPath().getName()))) {
        java.nio.file.Path place = local.pathToFile(each.getPath()).toPath();
        RegularFiles.require(inside ? "--input %s:".formatted(input) : "--input", place);
        if (each.isDirectory()) {
          requireRegular(input, files, files.listStatus(each.getPath()), true);
        }
      }
    }
  }

  /** Returns whether Spark passes over a file or folder inside others. */
  private static boolean isHidden(String name) {
    return name.startsWith(".") || (name.startsWith("_") && !name.contains("="));
  }

  private static InvalidStencilException absent(String input, FileSystem files, Path path) {
    Path folder = files.makeQualified(path).getParent();
    if (SPECIAL.matcher(input).find()) {
      return new InvalidStencilException(
          "--input %s matches no file in %s".formatted(input, folder));
    }
    boolean closed =
        files instanceof LocalFileSystem local
            && folder != null
            && local.pathToFile(folder).isDirectory()
            && !local.pathToFile(folder).canExecute(); // so that no file in it can be seen
    return new InvalidStencilException(
        closed
            ? "--input %s cannot be reached: permission denied for its folder %s; ask for it"
                .formatted(input, folder)
            : "--input %s does not exist; it would be %s"
                .formatted(input, files.makeQualified(path)));
  }

  /** Returns the pattern by which Spark finds the same files. */
  public String pattern() {
    return pattern;
  }

  /** Returns the files and folders that were found. */
  public List<Path> paths() {
    return Arrays.stream(found).map(FileStatus::getPath).toList();
  }

  private static InvalidStencilException unreachable(String input, Exception cause) {
    return new InvalidStencilException(
        "--input %s cannot be reached: %s".formatted(input, cause.getMessage()), cause);
  }

  /**
   * Returns the format that the ending of the path tells, or else that of the first file, or else
   * its first bytes.
   *
   * @throws InvalidStencilException if nothing tells it
   */
  public TableFormat format() {
    Optional<TableFormat> named = TableFormat.ofPath(input);
    if (named.isPresent()) {
      return named.get();
    }
    try {
      FileStatus first = firstFile(found);
      if (first == null) {
        return TableFormat.PARQUET; // whose reader says that there are no files
      }
      String name = first.getPath().getName();
      Optional<TableFormat> told = TableFormat.ofPath(name);
      return (told.isPresent() ? told : ofBytes(first.getPath()))
          .orElseThrow(
              () ->
                  new InvalidStencilException(
                      "the format of --input %s is unknown (the first file is %s); set it with --format parquet, csv, json or orc"
                          .formatted(input, name)));
    } catch (IOException e) {
      throw unreachable(input, e);
    }
  }

  /** Returns the first file that Spark would read, in the order of names, or null. */
  private FileStatus firstFile(FileStatus[] listed) throws IOException {
    FileStatus[] sorted = listed.clone();
    Arrays.sort(sorted, Comparator.comparing(FileStatus::getPath));
    for (FileStatus each : sorted) {
      String name = each.getPath().getName();
      if (isHidden(name)) {
        continue;
      }
      FileStatus inside = each.isDirectory() ? firstFile(files.listStatus(each.getPath())) : each;
      if (inside != null) {
        return inside;
      }
    }
    return null;
  }

  private Optional<TableFormat> ofBytes(Path file) throws IOException {
    try (FSDataInputStream in = files.open(file)) {
      String magic = new String(in.readNBytes(4), StandardCharsets.ISO_8859_1);
      return magic.equals("PAR1")
          ? Optional.of(TableFormat.PARQUET)
          : magic.startsWith("ORC") ? Optional.of(TableFormat.ORC) : Optional.empty();
    }
  }
}
