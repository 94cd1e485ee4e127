/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.interop;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.apache.spark.SimpleFutureAction;
import org.apache.spark.SparkContext;
import org.apache.spark.rdd.RDD;
import org.apache.spark.scheduler.TaskSetManager;
import org.apache.spark.util.Utils;
import scala.Function0;
import scala.Function1;
import scala.Function2;
import scala.collection.Iterator;
import scala.concurrent.Await;
import scala.concurrent.duration.Duration;
import scala.runtime.BoxedUnit;

/**
 * A job that is given up when only those of its tasks are left that wait for executors that are
 * gone. Spark would have them wait for as long as {@code spark.locality.wait} says, although nobody
 * will come.
 */
public final class GivenUpJob {
  private static final Duration PAUSE = Duration.create(50, "ms");

  private GivenUpJob() {}

  /**
   * Returns the elements of some partitions, each the only one of its partition, in their order.
   *
   * @param isLost whether the executor is gone that the task of a partition prefers; asked now and
   *     then if the job takes long
   * @return null for a partition whose task was given up
   */
  public static <T extends Serializable> List<T> collect(
      RDD<T> elements, int[] partitions, IntPredicate isLost) throws InterruptedException {
    SparkContext context = elements.sparkContext();
    List<byte[]> found =
        Collections.synchronizedList(
            new ArrayList<>(Collections.nCopies(partitions.length, (byte[]) null)));
    Function1<Iterator<T>, byte[]> packing = // as TaskFindings does
        (Function1<Iterator<T>, byte[]> & Serializable) each -> Utils.serialize(each.next());
    Function2<Object, byte[], BoxedUnit> handler =
        (index, element) -> {
          found.set((Integer) index, element);
          return BoxedUnit.UNIT;
        };
    Function0<BoxedUnit> nothing = () -> BoxedUnit.UNIT;
    SimpleFutureAction<BoxedUnit> job =
        context.submitJob(
            elements,
            packing,
            ScalaInterop.seq(Arrays.stream(partitions).<Object>mapToObj(i -> i).toList()),
            handler,
            nothing);
    try {
      boolean over = false;
      while (!over) {
        over = isDone(job) || isHopeless(context, job, found, partitions, isLost);
      }
    } finally {
      if (!job.isCompleted()) {
        job.cancel();
      }
    }
    ClassLoader classes = GivenUpJob.class.getClassLoader();
    return found.stream()
        .map(each -> each == null ? null : Utils.<T>deserialize(each, classes))
        .toList();
  }

  /** Waits for a moment; returns whether the job is done, and throws its failure. */
  private static boolean isDone(SimpleFutureAction<?> job) throws InterruptedException {
    try {
      Await.result(job, PAUSE);
      return true;
    } catch (TimeoutException e) {
      return false;
    }
  }

  /** Returns whether no task runs, and all that are left wait for executors that are gone. */
  private static boolean isHopeless(
      SparkContext context,
      SimpleFutureAction<?> job,
      List<?> found,
      int[] partitions,
      IntPredicate isLost) {
    return IntStream.range(0, partitions.length)
            .filter(i -> found.get(i) == null)
            .allMatch(i -> isLost.test(partitions[i]))
        && running(context, job) == 0;
  }

  private static int running(SparkContext context, SimpleFutureAction<?> job) {
    Set<Object> numbers = Set.copyOf(ScalaInterop.list(job.jobIds()));
    return ScalaInterop.list(context.taskScheduler().rootPool().getSortedTaskSetQueue()).stream()
        .filter(tasks -> numbers.contains(tasks.taskSet().priority())) // the number of the job
        .mapToInt(TaskSetManager::runningTasks)
        .sum();
  }
}
