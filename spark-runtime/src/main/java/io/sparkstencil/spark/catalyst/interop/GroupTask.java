/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.interop;

import java.io.Serializable;
import org.apache.spark.TaskContext;
import scala.collection.Iterator;

/** What a task of a {@link GroupedRdd} does with its partitions and the value of its own. */
public interface GroupTask<T, P, U> extends Serializable {
  Iterator<U> run(TaskContext context, P payload, Iterator<Iterator<T>> units);
}
