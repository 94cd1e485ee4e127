/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.lines;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.objectweb.asm.Opcodes;

/** The classes in folders and jars, the first of a name first, and behind them those of the JDK. */
final class ClassPath implements AutoCloseable {
  private final List<Path> folders = new ArrayList<>();
  private final List<JarFile> jars = new ArrayList<>();
  private final Map<String, JarFile> jarByClass = new HashMap<>();
  private final Map<String, Optional<ClassModel>> models = new HashMap<>();

  ClassPath(List<Path> places) {
    try {
      for (Path place : places) {
        if (Files.isDirectory(place)) {
          folders.add(place);
        } else {
          JarFile jar = new JarFile(place.toFile());
          jars.add(jar);
          jar.stream()
              .filter(entry -> entry.getName().endsWith(".class"))
              .forEach(entry -> jarByClass.putIfAbsent(entry.getName(), jar));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The class of a name with slashes; empty if it is nowhere. */
  Optional<ClassModel> find(String name) {
    Optional<ClassModel> known = models.get(name);
    if (known == null) {
      known = read(name + ".class").map(ClassModel::of);
      models.put(name, known);
    }
    return known;
  }

  private Optional<byte[]> read(String file) {
    try {
      for (Path folder : folders) {
        if (Files.exists(folder.resolve(file))) {
          return Optional.of(Files.readAllBytes(folder.resolve(file)));
        }
      }
      JarFile jar = jarByClass.get(file);
      try (InputStream in =
          jar != null
              ? jar.getInputStream(jar.getEntry(file))
              : ClassLoader.getPlatformClassLoader().getResourceAsStream(file)) {
        return in == null ? Optional.empty() : Optional.of(in.readAllBytes());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A class, what it extends and what it implements, itself first. */
  Stream<ClassModel> lineage(String name) {
    return find(name).stream()
        .flatMap(
            model ->
                Stream.concat(
                    Stream.of(model),
                    Stream.concat(Stream.ofNullable(model.superName()), model.interfaces().stream())
                        .flatMap(this::lineage)));
  }

  /** The access flags of a member, where it is declared first; empty if it is not there. */
  Optional<Integer> member(
      String owner, String member, Function<ClassModel, Map<String, Integer>> kind) {
    return lineage(owner)
        .map(kind)
        .filter(members -> members.containsKey(member))
        .map(members -> members.get(member))
        .findFirst();
  }

  /** The methods, by name and descriptor, that a class inherits or declares without a body. */
  Set<String> unimplemented(ClassModel type) {
    return lineage(type.name())
        .flatMap(model -> model.methods().entrySet().stream())
        .filter(method -> (method.getValue() & Opcodes.ACC_ABSTRACT) != 0)
        .map(Map.Entry::getKey)
        .filter(
            method ->
                lineage(type.name())
                    .map(model -> model.methods().get(method))
                    .noneMatch(access -> access != null && (access & Opcodes.ACC_ABSTRACT) == 0))
        .collect(Collectors.toSet());
  }

  @Override
  public void close() throws IOException {
    for (JarFile jar : jars) {
      jar.close();
    }
  }
}
