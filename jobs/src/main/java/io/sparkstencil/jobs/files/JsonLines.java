/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.files;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.io.JsonEOFException;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import io.sparkstencil.error.BadDataException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.Charset;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.CompressionCodecFactory;

/**
 * Finds what is wrong with JSON that Spark could not read: Spark tells neither file nor line.
 *
 * @param charset how characters are encoded
 * @param multiLine whether objects may hold line breaks
 * @param hadoop the file systems' configuration
 */
record JsonLines(Charset charset, boolean multiLine, Configuration hadoop) {
  private static final JsonFactory JSON =
      new JsonFactoryBuilder()
          .enable(JsonReadFeature.ALLOW_SINGLE_QUOTES)
          .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
          .build();

  /** Returns what to say of the first text in these files that is no JSON. */
  Optional<BadDataException> firstError(String... files) throws IOException {
    for (String each : files) {
      Path file = new Path(URI.create(each));
      FileSystem system = file.getFileSystem(hadoop);
      CompressionCodec codec = new CompressionCodecFactory(hadoop).getCodec(file);
      try (InputStream raw = system.open(file);
          InputStream in = codec == null ? raw : codec.createInputStream(raw);
          BufferedReader text = new BufferedReader(new InputStreamReader(in, charset))) {
        Optional<BadDataException> error = multiLine ? whole(file, text) : lines(file, text);
        if (error.isPresent()) {
          return error;
        }
      }
    }
    return Optional.empty();
  }

  private static Optional<BadDataException> whole(Path file, BufferedReader text)
      throws IOException {
    try (JsonParser parser = JSON.createParser(text)) {
      read(parser);
      return Optional.empty();
    } catch (JsonProcessingException e) {
      return Optional.of(error(file, e.getLocation().getLineNr(), e, "correct it"));
    }
  }

  private static Optional<BadDataException> lines(Path file, BufferedReader text)
      throws IOException {
    long number = 0;
    for (String line = text.readLine(); line != null; line = text.readLine()) {
      number++;
      try (JsonParser parser = JSON.createParser(line)) {
        read(parser);
      } catch (JsonProcessingException e) {
        String remedy =
            e instanceof JsonEOFException
                ? "correct it, or say with --multi-line that objects hold line breaks"
                : "correct it";
        return Optional.of(error(file, number, e, remedy));
      }
    }
    return Optional.empty();
  }

  private static void read(JsonParser parser) throws IOException {
    if (parser.nextToken() != null) {
      parser.skipChildren();
    }
  }

  private static BadDataException error(
      Path file, long line, JsonProcessingException cause, String remedy) {
    String why = cause.getOriginalMessage().replaceFirst("\\s*\\(start marker.*", "");
    return new BadDataException(
        "%s, line %d is no JSON: %s; %s".formatted(file.toUri().getPath(), line, why, remedy));
  }
}
