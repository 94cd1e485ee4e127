/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.interop;

import io.sparkstencil.conf.ConfigOption;
import io.sparkstencil.engine.Engines;
import io.sparkstencil.spark.conf.StencilConf;
import io.sparkstencil.spark.conf.StencilOptions;
import java.util.HashMap;
import java.util.Map;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext$;
import org.apache.spark.SparkEnv;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.internal.SQLConf;
import scala.Tuple2;
import scala.jdk.javaapi.CollectionConverters;

/** The only place that reads our options out of Spark's configuration. */
public final class SessionOptions {
  private SessionOptions() {}

  /**
   * Returns the options of an application.
   *
   * @throws io.sparkstencil.error.InvalidStencilException if one is wrong
   */
  public static StencilConf ofApplication(SparkConf conf) {
    return new StencilConf(values(conf));
  }

  private static Map<String, String> values(SparkConf conf) {
    Map<String, String> values = new HashMap<>();
    for (Tuple2<String, String> entry : conf.getAll()) {
      values.put(entry._1(), entry._2());
    }
    return values;
  }

  /**
   * Returns the options of an application as a session has changed them.
   *
   * @throws io.sparkstencil.error.InvalidStencilException if one is wrong
   */
  public static StencilConf of(SparkSession session) {
    Map<String, String> values = values(session.sparkContext().getConf());
    values.putAll(CollectionConverters.asJava(session.conf().getAll()));
    return new StencilConf(values);
  }

  /**
   * Returns the options as the running query's session has them.
   *
   * @throws io.sparkstencil.error.InvalidStencilException if one is wrong
   */
  public static StencilConf ofSession() {
    return new StencilConf(CollectionConverters.asJava(SQLConf.get().getAllConfs()));
  }

  /** Returns an option as the running query's session has it, whether or not others are right. */
  public static <T> T ofSession(ConfigOption<T> option) {
    return option.parse(SQLConf.get().getConfString(option.key(), option.defaultText()));
  }

  /** Returns how many tasks the calling process runs at once, at most. */
  public static int tasksAtOnce() {
    SparkEnv environment = SparkEnv.get();
    int processors = Runtime.getRuntime().availableProcessors();
    if (environment == null) {
      return processors;
    }
    SparkConf conf = environment.conf();
    int local = SparkContext$.MODULE$.numDriverCores(conf.get("spark.master", ""));
    int cores = local > 0 ? local : conf.getInt("spark.executor.cores", processors);
    return Math.max(1, cores / conf.getInt("spark.task.cpus", 1));
  }

  /** Returns options with the engine that a query names, which {@code auto} leaves to them. */
  public static StencilConf withEngine(StencilConf conf, String engine) {
    return engine.equals(Engines.AUTO)
        ? conf
        : conf.with(Map.of(StencilOptions.ENGINE.key(), engine));
  }
}
