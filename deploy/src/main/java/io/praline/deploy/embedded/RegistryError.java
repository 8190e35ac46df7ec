package io.praline.deploy.embedded;

/** What a registry answers where it cannot do what was asked, by Confluent's numbers. */
final class RegistryError extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final int status;
    private final int code;

    private RegistryError(int status, int code, String message) {
        super(message);
        this.status = status;
        this.code = code;
    }

    /** The HTTP status. */
    int status() {
        return status;
    }

    /** The {@code error_code} of the body. */
    int code() {
        return code;
    }

    /** @throws RegistryError where there is no such resource */
    static void require(boolean exists) {
        if (!exists) {
            throw noSuchResource();
        }
    }

    static RegistryError subjectNotFound(String subject) {
        return new RegistryError(404, 40401, "Subject '" + subject + "' not found.");
    }

    static RegistryError versionNotFound(String version) {
        return new RegistryError(404, 40402, "Version " + version + " not found.");
    }

    static RegistryError schemaNotFound() {
        return new RegistryError(404, 40403, "Schema not found");
    }

    static RegistryError schemaNotFound(int id) {
        return new RegistryError(404, 40403, "Schema " + id + " not found");
    }

    static RegistryError subjectSoftDeleted(String subject) {
        return new RegistryError(
                404, 40404, "Subject '" + subject + "' was soft deleted. Set permanent=true to delete permanently");
    }

    static RegistryError subjectNotSoftDeleted(String subject) {
        return new RegistryError(
                404, 40405, "Subject '" + subject + "' was not deleted first before being permanently deleted");
    }

    static RegistryError versionSoftDeleted(String subject, int version) {
        return new RegistryError(
                404,
                40406,
                "Subject '" + subject + "' Version " + version
                        + " was soft deleted. Set permanent=true to delete permanently");
    }

    static RegistryError versionNotSoftDeleted(String subject, int version) {
        return new RegistryError(
                404,
                40407,
                "Subject '" + subject + "' Version " + version
                        + " was not deleted first before being permanently deleted");
    }

    static RegistryError noCompatibilityOf(String subject) {
        return new RegistryError(
                404, 40408, "Subject '" + subject + "' does not have subject-level compatibility configured");
    }

    static RegistryError noModeOf(String subject) {
        return new RegistryError(404, 40409, "Subject '" + subject + "' does not have subject-level mode configured");
    }

    static RegistryError incompatible(String subject, String details) {
        return new RegistryError(
                409,
                409,
                "Schema being registered is incompatible with an earlier schema for subject \"" + subject
                        + "\", details: " + details);
    }

    static RegistryError invalidSchema(String why) {
        return new RegistryError(422, 42201, "Invalid schema: " + why);
    }

    static RegistryError invalidVersion(String version) {
        return new RegistryError(
                422,
                42202,
                "The specified version '" + version
                        + "' is not a valid version id. Allowed values are between [1, 2^31-1] and the string \"latest\"");
    }

    static RegistryError invalidCompatibility(String level) {
        return new RegistryError(
                422,
                42203,
                "Invalid compatibility level '" + level
                        + "'. Valid values are none, backward, forward, full, backward_transitive, forward_transitive,"
                        + " and full_transitive");
    }

    static RegistryError invalidMode(String mode) {
        return new RegistryError(
                422, 42204, "Invalid mode '" + mode + "'. Valid values are READWRITE, READONLY and IMPORT");
    }

    static RegistryError notPermitted(String why) {
        return new RegistryError(422, 42205, why);
    }

    static RegistryError malformed(String why) {
        return new RegistryError(400, 400, why);
    }

    static RegistryError tooLarge(int limitBytes) {
        return new RegistryError(413, 413, "The request is larger than the limit of " + limitBytes + " bytes");
    }

    static RegistryError noSuchResource() {
        return new RegistryError(404, 404, "HTTP 404 Not Found");
    }

    static RegistryError methodNotAllowed() {
        return new RegistryError(405, 405, "HTTP 405 Method Not Allowed");
    }

    static RegistryError storeFailed(String why) {
        return new RegistryError(500, 50001, "Error in the backend data store: " + why);
    }
}
