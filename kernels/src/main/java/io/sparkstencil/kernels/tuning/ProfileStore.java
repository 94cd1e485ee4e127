/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.tuning;

import com.eclipsesource.json.JsonObject;
import io.sparkstencil.cuda.CudaDevice;
import io.sparkstencil.error.StencilException;
import io.sparkstencil.kernels.variant.DeviceProfile;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The measured profile of a kind of device, in a JSON file beside that of its measured schedules. A
 * file that cannot be read, or that is of another device or format, is ignored with a warning.
 */
public final class ProfileStore {
  private static final System.Logger LOG = System.getLogger(ProfileStore.class.getName());
  private static final String FORMAT = "spark-stencil-profile-1";

  private final DeviceFile file;
  private DeviceProfile found; // null if there is none

  /** Reads what {@code folder} holds for the kind of device that {@code traits} are of. */
  public ProfileStore(Path folder, CudaDevice traits) {
    file = DeviceFile.of(folder, traits, "-profile", "profile");
    file.read(LOG, root -> found = read(root));
  }

  private DeviceProfile read(JsonObject root) {
    DeviceFile.requireEqual("format", FORMAT, root.getString("format", ""));
    return new DeviceProfile(
        "the survey in " + file.path(),
        JsonMembers.of(root, "copyGigabytes").asDouble(),
        JsonMembers.of(root, "additionsGiga").asDouble(),
        JsonMembers.of(root, "sharedGigabytes").asDouble(),
        JsonMembers.of(root, "asyncGain").asDouble(),
        JsonMembers.of(root, "cacheBytes").asLong(),
        JsonMembers.of(root, "linkGigabytes").asDouble(),
        JsonMembers.of(root, "launchMicros").asDouble());
  }

  /** Returns the file that holds the profile, or will. */
  public Path file() {
    return file.path();
  }

  /** Returns the profile that was found, if any was. */
  public Optional<DeviceProfile> profile() {
    return Optional.ofNullable(found);
  }

  /**
   * Writes a profile.
   *
   * @throws StencilException if the file cannot be written
   */
  public void save(DeviceProfile profile) {
    file.write(
        new JsonObject()
            .add("format", FORMAT)
            .add("device", file.device())
            .add("copyGigabytes", profile.copyGigabytes())
            .add("additionsGiga", profile.additionsGiga())
            .add("sharedGigabytes", profile.sharedGigabytes())
            .add("asyncGain", profile.asyncGain())
            .add("cacheBytes", profile.cacheBytes())
            .add("linkGigabytes", profile.linkGigabytes())
            .add("launchMicros", profile.launchMicros()));
    found = profile;
  }
}
