/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.lines;

/** What code needs of another class, with names as in class files. */
sealed interface Reference {
  /** The class that is needed. */
  String owner();

  /** A class by its name. */
  record ToClass(String owner) implements Reference {}

  /** A field, by name and descriptor. */
  record ToField(String owner, String field, boolean isStatic) implements Reference {}

  /** A method, by name and descriptor; whether the code calls it through an interface. */
  record ToMethod(String owner, String method, boolean isStatic, boolean throughInterface)
      implements Reference {}
}
