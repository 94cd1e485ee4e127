/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.catalyst.plan;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.spark.sql.SparkSession;
import scala.jdk.javaapi.CollectionConverters;

/**
 * What Spark once answered to queries of tests, as digests of a query with all of its rows. Rows of
 * ours that are among them are Spark's, and Spark is not asked again, which takes more time than
 * ours; it is asked about all others, those of new queries and of other releases of Spark or Java
 * too. A digest that nothing has any more is of no harm.
 *
 * <p>With {@code -Dstencil.answers=asked} Spark is asked about all queries, and with {@code
 * written} what it answers is added to the file.
 */
final class KnownAnswers {
  private static final String NAME = "known-answers.txt";
  private static final String MODE = System.getProperty("stencil.answers", "known");

  private static final Set<String> KNOWN = MODE.equals("known") ? stored() : Set.of();
  private static final Set<String> NEW = new TreeSet<>();

  /** Settings that say where things are, in folders that each run has of its own. */
  private static final List<String> PLACES =
      List.of("spark.sql.warehouse.dir", "spark.sql.catalog.", "spark.sql.extensions");

  static {
    if (MODE.equals("written")) {
      Runtime.getRuntime().addShutdownHook(new Thread(KnownAnswers::write));
    }
  }

  private KnownAnswers() {}

  /** Tells whether Spark is known to have answered a query with these rows. */
  static boolean has(SparkSession spark, String sql, List<String> rows) {
    return KNOWN.contains(digest(spark, sql, rows));
  }

  /** Takes down what Spark answered to a query. */
  static synchronized void add(SparkSession spark, String sql, List<String> rows) {
    if (MODE.equals("written")) {
      NEW.add(digest(spark, sql, rows));
    }
  }

  private static String digest(SparkSession spark, String sql, List<String> rows) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update((spark.version() + '\n' + settings(spark) + '\n' + sql + '\n').getBytes(UTF_8));
      for (String row : rows) {
        digest.update(row.getBytes(UTF_8));
        digest.update((byte) '\n');
      }
      return Base64.getEncoder().encodeToString(digest.digest()).substring(0, 20);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns what a session sets of Spark's SQL, which may be what a query means. */
  private static String settings(SparkSession spark) {
    return CollectionConverters.asJava(spark.conf().getAll()).entrySet().stream()
        .filter(each -> each.getKey().startsWith("spark.sql."))
        .filter(each -> PLACES.stream().noneMatch(each.getKey()::startsWith))
        .sorted(Map.Entry.comparingByKey())
        .map(Map.Entry::toString)
        .collect(Collectors.joining("\n"));
  }

  private static Set<String> stored() {
    try (InputStream stored = KnownAnswers.class.getResourceAsStream(NAME)) {
      return stored == null ? Set.of() : lines(stored.readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Set<String> lines(byte[] text) {
    return new String(text, UTF_8).lines().collect(Collectors.toSet());
  }

  /** Adds what is new to the file, to which other processes add theirs. */
  private static void write() {
    Path file =
        Path.of(
            System.getProperty("stencil.home"),
            "spark-windows/src/test/resources",
            KnownAnswers.class.getPackageName().replace('.', '/'),
            NAME);
    try (FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      channel.lock(); // until it is closed
      Set<String> all = new TreeSet<>(NEW);
      all.addAll(lines(Channels.newInputStream(channel).readAllBytes()));
      channel.truncate(0);
      channel.write(ByteBuffer.wrap((String.join("\n", all) + "\n").getBytes(UTF_8)), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
