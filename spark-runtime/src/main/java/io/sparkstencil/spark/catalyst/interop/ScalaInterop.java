/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.interop;

import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkContext$;
import org.apache.spark.TaskContext;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.util.TaskCompletionListener;
import scala.collection.Iterator;
import scala.collection.immutable.ArraySeq;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import scala.jdk.javaapi.OptionConverters;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/** Scala collections from and to Java. */
public final class ScalaInterop {
  private ScalaInterop() {}

  /** Returns an immutable, serializable sequence of a copy of {@code elements}. */
  @SuppressWarnings("unchecked") // a sequence of T out of an array that holds Ts
  public static <T> Seq<T> seq(Collection<? extends T> elements) {
    return (Seq<T>) ArraySeq.unsafeWrapArray(elements.toArray());
  }

  /** Returns an immutable, serializable sequence. */
  @SafeVarargs
  @SuppressWarnings({"unchecked", "varargs"}) // a sequence of T out of a copy that holds Ts
  public static <T> Seq<T> seqOf(T... elements) {
    Object[] copy = new Object[elements.length];
    System.arraycopy(elements, 0, copy, 0, copy.length);
    return (Seq<T>) ArraySeq.unsafeWrapArray(copy);
  }

  /** Returns a view of a Scala sequence. */
  public static <T> List<T> list(scala.collection.Seq<T> elements) {
    return CollectionConverters.asJava(elements);
  }

  /** Returns one sequence after the other. */
  public static <T> Seq<T> concat(
      scala.collection.Seq<? extends T> a, scala.collection.Seq<? extends T> b) {
    java.util.ArrayList<T> all = new java.util.ArrayList<>(list(a));
    all.addAll(list(b));
    return seq(all);
  }

  /** Returns an iterator over nothing. */
  public static <T> Iterator<T> noElements() {
    return CollectionConverters.asScala(Collections.<T>emptyIterator());
  }

  /** Returns elements; something is done once, after the last of them. */
  public static <T> Iterator<T> andThen(Iterator<T> elements, Runnable action) {
    return elements.concat(
        () -> {
          action.run();
          return noElements();
        });
  }

  /** Returns an RDD without partitions, for a plan. */
  public static <T> RDD<T> noPartitions(SparkPlan plan, Class<T> type) {
    return plan.sparkContext().emptyRDD(tag(type));
  }

  public static <T> ClassTag<T> tag(Class<T> type) {
    return ClassTag$.MODULE$.apply(type);
  }

  /**
   * Returns the tag that Spark's own RDDs for Java have: what they collect are arrays of objects,
   * which Kryo knows also where classes have to be registered.
   */
  @SuppressWarnings("unchecked") // as Spark does
  public static <T> ClassTag<T> tagOfAny() {
    return (ClassTag<T>) ClassTag$.MODULE$.AnyRef();
  }

  /** Returns the index of {@code expression}, an attribute, among {@code attributes}. */
  public static int ordinal(Expression expression, scala.collection.Seq<Attribute> attributes) {
    Attribute wanted = (Attribute) expression;
    List<Attribute> all = list(attributes);
    for (int i = 0; i < all.size(); i++) {
      if (all.get(i).exprId().equals(wanted.exprId())) {
        return i;
      }
    }
    throw new IllegalArgumentException("attribute %s is not among %s".formatted(wanted, all));
  }

  /** Returns an immutable map. */
  @SuppressWarnings({"unchecked", "rawtypes"}) // updated has lost its types in Java
  public static <K, V> scala.collection.immutable.Map<K, V> map(java.util.Map<K, V> entries) {
    scala.collection.immutable.Map<K, V> made = scala.collection.immutable.Map$.MODULE$.empty();
    for (java.util.Map.Entry<K, V> entry : entries.entrySet()) {
      made = (scala.collection.immutable.Map<K, V>) made.updated(entry.getKey(), entry.getValue());
    }
    return made;
  }

  /** Returns the running application's context, where this is its driver. */
  public static Optional<SparkContext> activeContext() {
    return OptionConverters.toJava(SparkContext$.MODULE$.getActive());
  }

  /** Runs {@code action} when the task has succeeded, failed or been killed. */
  public static void onCompletion(TaskContext context, Runnable action) {
    context.addTaskCompletionListener((TaskCompletionListener) ended -> action.run());
  }

  /** Throws a checked exception of Spark's where Java does not expect one. */
  @SuppressWarnings("unchecked") // that is the trick
  public static <E extends Throwable> RuntimeException sneaky(Throwable thrown) throws E {
    throw (E) thrown;
  }
}
