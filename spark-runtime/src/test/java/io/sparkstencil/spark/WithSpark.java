/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Gives a test class a session of its own, which its methods take as a parameter,
 * {@code @BeforeAll} included. Classes with the same master and settings share the context below; a
 * class with others ends it and starts another.
 *
 * <p>After each test, options are what they were before it. After all, tables, databases and cached
 * data are dropped, and memory, kept RDDs or threads that are left fail the class.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(SharedSpark.class)
public @interface WithSpark {
  /** Where tasks run. */
  String master() default "local[2]";

  /** Settings of the context, beside those of {@link Sessions#builder}: {@code key=value}. */
  String[] settings() default {};

  /** Options of the session: {@code key=value}. They are no reason for another context. */
  String[] options() default {};
}
