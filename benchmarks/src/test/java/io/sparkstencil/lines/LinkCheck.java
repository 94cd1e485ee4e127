/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.lines;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.objectweb.asm.Opcodes;

/**
 * Links classes that were compiled against one class path with another, as a JVM would, but all at
 * once and without running them: every class, field and method that code refers to must be there
 * and of the same kind, no final class may be extended or final method overridden, and classes that
 * are not abstract must implement all that they inherit. A method that overrides one on the class
 * path of the compiler must override one on the other, too: the JVM would say nothing, but nobody
 * would call it.
 */
final class LinkCheck {
  /** Our own classes use private members of classes that they are nested with. */
  private static final String OURS = "io/sparkstencil/";

  private final ClassPath compiledAgainst;
  private final ClassPath linkedWith;

  LinkCheck(ClassPath compiledAgainst, ClassPath linkedWith) {
    this.compiledAgainst = compiledAgainst;
    this.linkedWith = linkedWith;
  }

  /** What does not link in a class, a line each; empty if all of it does. */
  List<String> problems(byte[] classFile) {
    ClassModel type = ClassModel.of(classFile);
    TreeSet<String> problems = new TreeSet<>();
    References.of(classFile).forEach(reference -> problem(reference).ifPresent(problems::add));
    problems.addAll(inheritance(type));
    return problems.stream()
        .map(problem -> type.name().replace('/', '.') + ": " + problem)
        .toList();
  }

  private Optional<String> problem(Reference reference) {
    String owner = reference.owner();
    if (owner.startsWith("java/")) { // the same for all lines; methods of handles have any type
      return Optional.empty();
    }
    Optional<ClassModel> type = linkedWith.find(owner);
    if (type.isEmpty()) {
      return Optional.of("there is no class " + owner);
    }
    if (reference instanceof Reference.ToField field) {
      return linkedWith
          .member(owner, field.field(), ClassModel::fields)
          .map(access -> kind(field.isStatic(), access, owner, field.field()))
          .orElse(Optional.of("there is no field %s.%s".formatted(owner, field.field())));
    }
    if (reference instanceof Reference.ToMethod method) {
      if (method.throughInterface() != type.get().has(Opcodes.ACC_INTERFACE)) {
        return Optional.of(
            "%s is an interface or is none, unlike at compile time".formatted(owner));
      }
      return linkedWith
          .member(owner, method.method(), ClassModel::methods)
          .map(access -> kind(method.isStatic(), access, owner, method.method()))
          .orElse(Optional.of("there is no method %s.%s".formatted(owner, method.method())));
    }
    return Optional.empty();
  }

  private static Optional<String> kind(boolean isStatic, int access, String owner, String member) {
    if (isStatic != ((access & Opcodes.ACC_STATIC) != 0)) {
      return Optional.of(
          "%s.%s is %s".formatted(owner, member, isStatic ? "not static" : "static"));
    }
    return (access & Opcodes.ACC_PRIVATE) == 0 || owner.startsWith(OURS)
        ? Optional.empty()
        : Optional.of("%s.%s is private".formatted(owner, member));
  }

  private List<String> inheritance(ClassModel type) {
    List<String> problems = new ArrayList<>();
    Optional<ClassModel> parent = linkedWith.find(type.superName());
    if (parent.isPresent() && parent.get().has(Opcodes.ACC_FINAL)) {
      problems.add("extends %s, which is final".formatted(type.superName()));
    }
    for (Map.Entry<String, Integer> method : type.methods().entrySet()) {
      if (!method.getKey().startsWith("<")
          && (method.getValue() & (Opcodes.ACC_STATIC | Opcodes.ACC_PRIVATE)) == 0) {
        overriding(type, method.getKey()).ifPresent(problems::add);
      }
    }
    if (!type.has(Opcodes.ACC_ABSTRACT)) {
      linkedWith.unimplemented(type).stream()
          .filter(method -> !compiledAgainst.unimplemented(type).contains(method))
          .forEach(method -> problems.add("does not implement " + method));
    }
    return problems;
  }

  private Optional<String> overriding(ClassModel type, String method) {
    Optional<Integer> there = inherited(linkedWith, type, method);
    if (there.isEmpty() && inherited(compiledAgainst, type, method).isPresent()) {
      return Optional.of("%s overrides nothing".formatted(method));
    }
    return there.isPresent() && (there.get() & Opcodes.ACC_FINAL) != 0
        ? Optional.of("overrides %s, which is final".formatted(method))
        : Optional.empty();
  }

  private static Optional<Integer> inherited(ClassPath path, ClassModel type, String method) {
    return Stream.concat(Stream.ofNullable(type.superName()), type.interfaces().stream())
        .flatMap(parent -> path.member(parent, method, ClassModel::methods).stream())
        .filter(access -> (access & (Opcodes.ACC_STATIC | Opcodes.ACC_PRIVATE)) == 0)
        .findFirst();
  }
}
