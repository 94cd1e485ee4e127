/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.lines;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * A library that changes after a class is compiled against it: each way in which the class then
 * breaks is found.
 */
final class LinkCheckTest {
  private static final int PUBLIC = Opcodes.ACC_PUBLIC;

  @TempDir private Path before;
  @TempDir private Path after;

  private static ClassWriter type(String name, int access, String parent) {
    ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
    writer.visit(Opcodes.V17, access, name, null, parent, null);
    return writer;
  }

  private static void method(ClassWriter type, int access, String name) {
    MethodVisitor code = type.visitMethod(access, name, "()V", null, null);
    if ((access & Opcodes.ACC_ABSTRACT) == 0) {
      code.visitInsn(Opcodes.RETURN);
      code.visitMaxs(0, 1);
    }
    code.visitEnd();
  }

  private static void write(Path folder, String name, ClassWriter type) throws IOException {
    type.visitEnd();
    Files.createDirectories(folder.resolve(name).getParent());
    Files.write(folder.resolve(name + ".class"), type.toByteArray());
  }

  /** A class that extends the library's, overrides its method, and calls another and a field. */
  private static byte[] user() {
    ClassWriter user = type("user/User", PUBLIC, "library/Base");
    method(user, PUBLIC, "overridden");
    MethodVisitor code = user.visitMethod(PUBLIC, "use", "()V", null, null);
    code.visitVarInsn(Opcodes.ALOAD, 0);
    code.visitMethodInsn(Opcodes.INVOKEVIRTUAL, "user/User", "called", "()V", false);
    code.visitFieldInsn(Opcodes.GETSTATIC, "library/Base", "field", "I");
    code.visitInsn(Opcodes.POP);
    code.visitInsn(Opcodes.RETURN);
    code.visitMaxs(1, 1);
    code.visitEnd();
    user.visitEnd();
    return user.toByteArray();
  }

  private static ClassWriter library(int access, int called, int overridden) {
    ClassWriter base = type("library/Base", access, "java/lang/Object");
    if (called != 0) {
      method(base, called, "called");
    }
    if (overridden != 0) {
      method(base, overridden, "overridden");
    }
    base.visitField(PUBLIC | Opcodes.ACC_STATIC, "field", "I", null, null).visitEnd();
    return base;
  }

  private List<String> problemsWith(ClassWriter changed) throws IOException {
    write(before, "library/Base", library(PUBLIC, PUBLIC, PUBLIC));
    if (changed != null) {
      write(after, "library/Base", changed);
    }
    for (Path folder : List.of(before, after)) {
      Files.createDirectories(folder.resolve("user"));
      Files.write(folder.resolve("user/User.class"), user());
    }
    try (ClassPath compiler = new ClassPath(List.of(before));
        ClassPath other = new ClassPath(List.of(after))) {
      return new LinkCheck(compiler, other).problems(user());
    }
  }

  @Test
  void anUnchangedLibraryLinks() throws IOException {
    assertThat(problemsWith(library(PUBLIC, PUBLIC, PUBLIC))).isEmpty();
  }

  @Test
  void findsClassesThatAreGone() throws IOException {
    assertThat(problemsWith(null)).contains("user.User: there is no class library/Base");
  }

  @Test
  void findsMethodsThatAreGone() throws IOException {
    assertThat(problemsWith(library(PUBLIC, 0, PUBLIC)))
        .containsExactly("user.User: there is no method user/User.called()V");
  }

  @Test
  void findsMethodsThatBecameStatic() throws IOException {
    assertThat(problemsWith(library(PUBLIC, PUBLIC | Opcodes.ACC_STATIC, PUBLIC)))
        .containsExactly("user.User: user/User.called()V is static");
  }

  @Test
  void findsFieldsThatAreGone() throws IOException {
    ClassWriter base = type("library/Base", PUBLIC, "java/lang/Object");
    method(base, PUBLIC, "called");
    method(base, PUBLIC, "overridden");
    assertThat(problemsWith(base))
        .containsExactly("user.User: there is no field library/Base.fieldI");
  }

  @Test
  void findsOverridesThatNobodyCalls() throws IOException {
    assertThat(problemsWith(library(PUBLIC, PUBLIC, 0)))
        .containsExactly("user.User: overridden()V overrides nothing");
  }

  @Test
  void findsOverridesOfFinalMethods() throws IOException {
    assertThat(problemsWith(library(PUBLIC, PUBLIC, PUBLIC | Opcodes.ACC_FINAL)))
        .containsExactly("user.User: overrides overridden()V, which is final");
  }

  @Test
  void findsFinalClasses() throws IOException {
    assertThat(problemsWith(library(PUBLIC | Opcodes.ACC_FINAL, PUBLIC, PUBLIC)))
        .containsExactly("user.User: extends library/Base, which is final");
  }

  @Test
  void findsWhatIsToBeImplemented() throws IOException {
    ClassWriter base = library(PUBLIC | Opcodes.ACC_ABSTRACT, PUBLIC, PUBLIC);
    method(base, PUBLIC | Opcodes.ACC_ABSTRACT, "added");
    assertThat(problemsWith(base)).containsExactly("user.User: does not implement added()V");
  }
}
