/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;
import scala.jdk.javaapi.CollectionConverters;

/**
 * The context that test classes of a process share, one after the other, and their sessions: see
 * {@link WithSpark}.
 */
final class SharedSpark
    implements BeforeAllCallback,
        BeforeEachCallback,
        AfterEachCallback,
        AfterAllCallback,
        ParameterResolver {
  private static final Namespace SPACE = Namespace.create(SharedSpark.class);

  /** Keeps a session where JUnit would close what can be closed. */
  private record Held(SparkSession session) {}

  /** What distinguishes contexts. */
  private record Settings(String master, List<String> settings) {}

  private static Settings current;
  private static SparkSession first;

  /** Returns a new session of a context with these settings. */
  private static synchronized SparkSession session(Settings wanted) {
    if (first != null && first.sparkContext().isStopped()) {
      throw new IllegalStateException("the test before has stopped the context of all");
    }
    if (!wanted.equals(current)) {
      Sessions.stopOpen(); // that of a class without @WithSpark, too
      SparkSession.Builder builder = Sessions.builder(wanted.master());
      pairs(wanted.settings()).forEach(builder::config);
      first = builder.getOrCreate();
      current = wanted;
    }
    SparkSession session = first.newSession();
    SparkSession.setActiveSession(session);
    SparkSession.setDefaultSession(session);
    return session;
  }

  /** Ends the shared context, for a test that starts one of its own. */
  static synchronized void stop() {
    if (first != null) {
      first.stop();
      first = null;
      current = null;
    }
  }

  private static Map<String, String> pairs(List<String> settings) {
    Map<String, String> pairs = new HashMap<>();
    for (String each : settings) {
      int end = each.indexOf('=');
      pairs.put(each.substring(0, end), each.substring(end + 1));
    }
    return pairs;
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    WithSpark with =
        AnnotationSupport.findAnnotation(context.getRequiredTestClass(), WithSpark.class)
            .orElseThrow();
    SparkSession session = session(new Settings(with.master(), List.of(with.settings())));
    pairs(List.of(with.options())).forEach(session.conf()::set);
    context.getStore(SPACE).put(Held.class, new Held(session));
  }

  private static SparkSession of(ExtensionContext context) {
    return context.getStore(SPACE).get(Held.class, Held.class).session();
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == SparkSession.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return of(context);
  }

  private static Map<String, String> options(SparkSession session) {
    return CollectionConverters.asJava(session.conf().getAll());
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    context.getStore(SPACE).put(Map.class, new HashMap<>(options(of(context))));
  }

  @Override
  public void afterEach(ExtensionContext context) {
    SparkSession session = of(context);
    @SuppressWarnings("unchecked")
    Map<String, String> before = context.getStore(SPACE).get(Map.class, Map.class);
    new HashMap<>(options(session))
        .forEach(
            (key, value) -> {
              if (!before.containsKey(key)) {
                session.conf().unset(key);
              }
            });
    before.forEach(
        (key, value) -> {
          if (!Objects.equals(session.conf().get(key, null), value)) {
            session.conf().set(key, value);
          }
        });
    SparkSession.setActiveSession(session);
  }

  @Override
  public void afterAll(ExtensionContext context) throws InterruptedException {
    if (context.getStore(SPACE).get(Held.class) != null) { // it has begun
      SparkLeaks.check(of(context));
    }
    SparkSession.clearActiveSession(); // what has no session of its own has none of others
    SparkSession.clearDefaultSession();
  }
}
