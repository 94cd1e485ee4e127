/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.survey.result;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import io.sparkstencil.error.InvalidStencilException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The text of {@code survey.json}; docs/survey.md says what its fields mean. */
public final class SurveyFile {
  private static final String FORMAT = "spark-stencil survey";
  private static final int FORMAT_VERSION = 1;

  /** What the library says where a field is missing or null; it speaks of creators. */
  private static final Pattern MISSING =
      Pattern.compile("(?:Missing|Null value for) creator property '([^']+)'");

  private static final ObjectMapper JSON =
      new ObjectMapper()
          .registerModule(
              new SimpleModule()
                  .addSerializer(double.class, new NumberOrNull())
                  .addSerializer(Double.class, new NumberOrNull())
                  .addDeserializer(double.class, new NullIsNotANumber()))
          .enable(SerializationFeature.INDENT_OUTPUT)
          .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES);

  private SurveyFile() {}

  /** JSON has no NaN. */
  @SuppressWarnings("serial") // never serialized
  private static final class NumberOrNull extends StdSerializer<Double> {
    private NumberOrNull() {
      super(Double.class);
    }

    @Override
    public void serialize(Double value, JsonGenerator out, SerializerProvider provider)
        throws IOException {
      if (Double.isFinite(value)) {
        out.writeNumber(value);
      } else {
        out.writeNull();
      }
    }
  }

  @SuppressWarnings("serial") // never serialized
  private static final class NullIsNotANumber extends StdDeserializer<Double> {
    private NullIsNotANumber() {
      super(double.class);
    }

    @Override
    public Double deserialize(JsonParser in, DeserializationContext context) throws IOException {
      return _parseDoublePrimitive(in, context);
    }

    @Override
    public Double getNullValue(DeserializationContext context) {
      return Double.NaN;
    }
  }

  /** Returns a result as JSON. */
  public static String text(SurveyResult result) {
    ObjectNode root = JSON.createObjectNode();
    root.put("format", FORMAT);
    root.put("formatVersion", FORMAT_VERSION);
    root.setAll((ObjectNode) JSON.valueToTree(result));
    try {
      return JSON.writeValueAsString(root) + "\n";
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a result cannot be written as JSON", e);
    }
  }

  /**
   * Returns the result in a text.
   *
   * @param source where the text is from, for messages
   * @throws InvalidStencilException if it is not the text of a result
   */
  public static SurveyResult parse(String text, String source) {
    try {
      JsonNode root = JSON.readTree(text);
      String format = root.path("format").asText("");
      if (!format.equals(FORMAT)) {
        throw noSurvey(source, "it does not say \"format\": \"%s\"".formatted(FORMAT), null);
      }
      int version = root.path("formatVersion").asInt(0);
      if (version != FORMAT_VERSION) {
        throw new InvalidStencilException(
            "%s has format version %d, but this command reads version %d; survey the device again"
                .formatted(source, version, FORMAT_VERSION));
      }
      return JSON.treeToValue(root, SurveyResult.class);
    } catch (JsonProcessingException e) {
      throw noSurvey(source, why(e), e);
    }
  }

  /**
   * Reads a file.
   *
   * @throws InvalidStencilException if there is none, or it is no survey
   */
  public static SurveyResult read(Path file) {
    String text;
    try {
      text = Files.readString(file);
    } catch (IOException e) {
      throw new InvalidStencilException(
          Files.exists(file)
              ? "%s cannot be read (%s); name a survey.json that bin/stencil survey has written"
                  .formatted(file, e.getMessage())
              : "%s does not exist; run bin/stencil survey, or name the survey.json of another run"
                  .formatted(file),
          e);
    }
    return parse(text, file.toString());
  }

  private static String why(JsonProcessingException e) {
    Matcher missing = MISSING.matcher(e.getOriginalMessage());
    return missing.find()
        ? "a field \"%s\" is missing".formatted(missing.group(1))
        : e.getOriginalMessage();
  }

  private static InvalidStencilException noSurvey(String source, String why, Exception cause) {
    return new InvalidStencilException(
        "%s is no survey: %s; name a survey.json that bin/stencil survey has written"
            .formatted(source, why),
        cause);
  }
}
