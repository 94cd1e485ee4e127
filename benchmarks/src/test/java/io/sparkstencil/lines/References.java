/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.lines;

import java.util.LinkedHashSet;
import java.util.Set;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/** Finds all that the code of a class refers to. */
final class References extends ClassVisitor {
  private final Set<Reference> found = new LinkedHashSet<>();

  private References() {
    super(Opcodes.ASM9);
  }

  static Set<Reference> of(byte[] classFile) {
    References references = new References();
    new ClassReader(classFile).accept(references, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
    return references.found;
  }

  @Override
  public void visit(
      int version,
      int access,
      String name,
      String signature,
      String superName,
      String[] interfaces) {
    add(Type.getObjectType(superName));
    for (String type : interfaces) {
      add(Type.getObjectType(type));
    }
  }

  @Override
  public FieldVisitor visitField(
      int access, String name, String type, String signature, Object value) {
    add(Type.getType(type));
    return null;
  }

  @Override
  public MethodVisitor visitMethod(
      int access, String name, String type, String signature, String[] exceptions) {
    addAll(type);
    return new Code();
  }

  private void add(Type type) {
    switch (type.getSort()) {
      case Type.OBJECT -> found.add(new Reference.ToClass(type.getInternalName()));
      case Type.ARRAY -> add(type.getElementType());
      case Type.METHOD -> addAll(type.getDescriptor());
      default -> {} // a primitive
    }
  }

  private void addAll(String methodType) {
    add(Type.getReturnType(methodType));
    for (Type argument : Type.getArgumentTypes(methodType)) {
      add(argument);
    }
  }

  /** The instructions of a method. */
  private final class Code extends MethodVisitor {
    private Code() {
      super(Opcodes.ASM9);
    }

    @Override
    public void visitTypeInsn(int opcode, String type) {
      add(Type.getObjectType(type));
    }

    @Override
    public void visitFieldInsn(int opcode, String owner, String name, String type) {
      boolean isStatic = opcode == Opcodes.GETSTATIC || opcode == Opcodes.PUTSTATIC;
      found.add(new Reference.ToField(owner, name + type, isStatic));
    }

    @Override
    public void visitMethodInsn(
        int opcode, String owner, String name, String type, boolean throughInterface) {
      call(owner, name, type, opcode == Opcodes.INVOKESTATIC, throughInterface);
    }

    @Override
    public void visitInvokeDynamicInsn(
        String name, String type, Handle bootstrap, Object... arguments) {
      addAll(type);
      for (Object argument : arguments) {
        constant(argument);
      }
    }

    @Override
    public void visitLdcInsn(Object value) {
      constant(value);
    }

    @Override
    public void visitTryCatchBlock(Label start, Label end, Label handler, String type) {
      if (type != null) {
        add(Type.getObjectType(type));
      }
    }

    @Override
    public void visitMultiANewArrayInsn(String type, int dimensions) {
      add(Type.getType(type));
    }

    private void constant(Object value) {
      if (value instanceof Type type) {
        add(type);
      } else if (value instanceof Handle handle && handle.getTag() >= Opcodes.H_INVOKEVIRTUAL) {
        boolean isStatic = handle.getTag() == Opcodes.H_INVOKESTATIC;
        call(handle.getOwner(), handle.getName(), handle.getDesc(), isStatic, handle.isInterface());
      }
    }

    private void call(
        String owner, String name, String type, boolean isStatic, boolean throughInterface) {
      if (owner.startsWith("[")) { // clone() of an array
        return;
      }
      addAll(type);
      found.add(new Reference.ToMethod(owner, name + type, isStatic, throughInterface));
    }
  }
}
