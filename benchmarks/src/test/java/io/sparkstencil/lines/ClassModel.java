/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.lines;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * What linking needs to know of a class: names as in class files, access flags of its members by
 * name and descriptor.
 */
record ClassModel(
    String name,
    int access,
    String superName,
    List<String> interfaces,
    Map<String, Integer> methods,
    Map<String, Integer> fields) {

  static ClassModel of(byte[] classFile) {
    ClassReader reader = new ClassReader(classFile);
    Map<String, Integer> methods = new HashMap<>();
    Map<String, Integer> fields = new HashMap<>();
    reader.accept(
        new ClassVisitor(Opcodes.ASM9) {
          @Override
          public MethodVisitor visitMethod(
              int access, String name, String type, String signature, String[] exceptions) {
            methods.put(name + type, access);
            return null;
          }

          @Override
          public FieldVisitor visitField(
              int access, String name, String type, String signature, Object value) {
            fields.put(name + type, access);
            return null;
          }
        },
        ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
    return new ClassModel(
        reader.getClassName(),
        reader.getAccess(),
        reader.getSuperName(),
        List.of(reader.getInterfaces()),
        methods,
        fields);
  }

  boolean has(int flag) {
    return (access & flag) != 0;
  }
}
