/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.arrays;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import scala.Tuple2;
import scala.collection.immutable.ArraySeq;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/** Scala collections from and to Java. */
final class ScalaLists {
  private ScalaLists() {}

  /** Returns an immutable, serializable sequence of a copy of {@code elements}. */
  @SuppressWarnings("unchecked") // a sequence of T out of an array that holds Ts
  static <T> Seq<T> seq(Collection<? extends T> elements) {
    return (Seq<T>) ArraySeq.unsafeWrapArray(elements.toArray());
  }

  /** Returns a view of a Scala sequence. */
  static <T> List<T> list(scala.collection.Seq<T> elements) {
    return CollectionConverters.asJava(elements);
  }

  /** Returns an immutable map of a copy of {@code entries}. */
  @SuppressWarnings("unchecked") // Scala's empty map is raw to Java
  static <K, V> scala.collection.immutable.Map<K, V> map(Map<K, V> entries) {
    scala.collection.immutable.Map<K, V> map = scala.collection.immutable.Map$.MODULE$.empty();
    for (Map.Entry<K, V> entry : entries.entrySet()) {
      map = map.$plus(new Tuple2<>(entry.getKey(), entry.getValue()));
    }
    return map;
  }
}
