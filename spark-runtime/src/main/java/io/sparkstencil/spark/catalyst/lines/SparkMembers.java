/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.lines;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;

/** Public members of Spark's classes, found by their names and types when the program runs. */
final class SparkMembers {
  private static final MethodHandles.Lookup PUBLIC = MethodHandles.publicLookup();

  private SparkMembers() {}

  /** A lookup that may fail. */
  private interface Lookup {
    MethodHandle find() throws ReflectiveOperationException;
  }

  /** Tells whether there is a class of this name. */
  static boolean exists(String name) {
    try {
      Class.forName(name, false, SparkMembers.class.getClassLoader());
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  /** Returns the class of a name. */
  static Class<?> type(String name) {
    try {
      return Class.forName(name, false, SparkMembers.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      throw missing(e);
    }
  }

  static MethodHandle constructor(Class<?> owner, Class<?>... parameters) {
    return found(
        () -> PUBLIC.findConstructor(owner, MethodType.methodType(void.class, parameters)));
  }

  static MethodHandle method(Class<?> owner, String name, Class<?> result, Class<?>... parameters) {
    return found(() -> PUBLIC.findVirtual(owner, name, MethodType.methodType(result, parameters)));
  }

  static MethodHandle function(
      Class<?> owner, String name, Class<?> result, Class<?>... parameters) {
    return found(() -> PUBLIC.findStatic(owner, name, MethodType.methodType(result, parameters)));
  }

  /** Returns the only constructor of a class, with nulls for all parameters but the first few. */
  static MethodHandle onlyConstructor(Class<?> owner, int given) {
    MethodHandle all = found(() -> PUBLIC.unreflectConstructor(owner.getConstructors()[0]));
    return MethodHandles.insertArguments(
        all, given, new Object[all.type().parameterCount() - given]);
  }

  /**
   * Returns the only static method of a name, with {@code false} and null for all parameters but
   * the first few.
   */
  static MethodHandle onlyFunction(Class<?> owner, String name, int given) {
    MethodHandle all =
        found(
            () -> {
              for (Method method : owner.getMethods()) {
                if (method.getName().equals(name) && Modifier.isStatic(method.getModifiers())) {
                  return PUBLIC.unreflect(method);
                }
              }
              throw new NoSuchMethodException(owner.getName() + "." + name);
            });
    List<Class<?>> types = all.type().parameterList();
    Object[] rest =
        types.subList(given, types.size()).stream()
            .map(type -> type == boolean.class ? Boolean.FALSE : null)
            .toArray();
    return MethodHandles.insertArguments(all, given, rest);
  }

  /** Calls a member; what it throws comes through as it is. */
  static Object call(MethodHandle member, Object... arguments) {
    try {
      return member.invokeWithArguments(arguments);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(e); // none of the members declares an exception
    }
  }

  private static MethodHandle found(Lookup lookup) {
    try {
      return lookup.find();
    } catch (ReflectiveOperationException e) {
      throw missing(e);
    }
  }

  private static IllegalStateException missing(ReflectiveOperationException cause) {
    return new IllegalStateException(
        "the Spark on the class path has no %s, as Spark 4.0, 4.1 or 4.2 has; use one of these"
            .formatted(cause.getMessage()),
        cause);
  }
}
