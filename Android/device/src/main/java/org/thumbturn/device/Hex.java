package org.thumbturn.device;

/** Bytes as lower-case hexadecimal digits, as thumbturn.h has them. */
final class Hex {
    private Hex() {}

    static String of(byte[] bytes) {
        StringBuilder digits = new StringBuilder(2 * bytes.length);
        for (byte each : bytes) {
            digits.append(Character.forDigit(each >> 4 & 15, 16)).append(Character.forDigit(each & 15, 16));
        }
        return digits.toString();
    }

    /** Reads digits. */
    static byte[] bytes(String digits) throws Refusal {
        if (digits.length() % 2 != 0 || !isHex(digits)) throw new Refusal(Refusal.UNCLASSIFIED);
        byte[] bytes = new byte[digits.length() / 2];
        for (int index = 0; index < bytes.length; index++) {
            bytes[index] = (byte) Integer.parseInt(digits.substring(2 * index, 2 * index + 2), 16);
        }
        return bytes;
    }

    static boolean isHex(String text) {
        for (int index = 0; index < text.length(); index++) {
            char each = text.charAt(index);
            if (!(each >= '0' && each <= '9' || each >= 'a' && each <= 'f')) return false;
        }
        return true;
    }
}
