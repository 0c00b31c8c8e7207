package org.thumbturn.device;

/** Why the phone released nothing: one of the numbers TT_REFUSED_* of thumbturn.h. */
final class Refusal extends Exception {
    static final int CANCELLED_BY_USER = 1;
    static final int CANCELLED_BY_SYSTEM = 2;
    static final int FALLBACK = 3;
    static final int NOT_RECOGNISED = 4;
    static final int LOCKED_OUT = 5;
    static final int NOT_ENROLLED = 6;
    static final int REVOKED = 7;
    static final int READER_FAILED = 8;
    static final int UNAVAILABLE = 9;
    static final int DAMAGED = 10;
    static final int HARDWARE_MISSING = 11;
    static final int ABSENT = 12;
    static final int WEAKER = 13;
    static final int UNCLASSIFIED = 14;

    private static final long serialVersionUID = 1;

    /** What it means. */
    final int number;
    /** How many fingers or faces failed in the prompt, however it ended (C7). */
    final int mismatches;

    Refusal(int number) {
        this(number, 0, null);
    }

    Refusal(int number, Throwable cause) {
        this(number, 0, cause);
    }

    Refusal(int number, int mismatches, Throwable cause) {
        // No text: an error must not be able to hold a name or a secret.
        super(null, cause);
        this.number = number;
        this.mismatches = mismatches;
    }

    /** Returns the refusal of a prompt in which `mismatches` fingers or faces had failed. */
    Refusal after(int mismatches) {
        return new Refusal(number, mismatches, getCause());
    }
}
