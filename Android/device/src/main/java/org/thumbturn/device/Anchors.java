package org.thumbturn.device;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Anchors in the key store: an entry whose alias holds number and mark.
 *
 * <p>The daemon keeps its entries outside the app's folder and in no backup, so who restores that folder does not move
 * them. Root, who restores all of /data, does; no monotonic counter is open to an app.
 */
final class Anchors {
    private static final String PREFIX = "thumbturn/anchor/";
    /** 16 digits of the number, 32 of the mark. */
    private static final int DIGITS = 48;

    private final Keystore keystore;

    Anchors(Keystore keystore) {
        this.keystore = keystore;
    }

    /**
     * Returns where an anchor stands: the highest of its entries, since a move makes the next one before it deletes the former.
     *
     * @return null if there certainly is none.
     * @throws Refusal DAMAGED for two of one number, which no move leaves.
     */
    String position(String name) throws Refusal {
        List<String> positions = positions(name);
        if (positions.isEmpty()) return null;
        String last = positions.get(positions.size() - 1);
        if (positions.size() > 1 && number(positions.get(positions.size() - 2)).equals(number(last))) {
            throw new Refusal(Refusal.DAMAGED);
        }
        return last;
    }

    /**
     * Moves an anchor up from where it stands; the vault's lock keeps other processes out, the worker other threads.
     *
     * @param from null makes one, or replaces a damaged one by a position that a commit has used (A25).
     * @return whether it moved; false leaves it.
     */
    boolean move(String name, String from, String to) throws Refusal {
        requirePosition(to);
        List<String> positions = positions(name);
        try {
            String present = position(name);
            if (present == null ? from != null : !present.equals(from)) return false;
            if (present != null && !isAbove(present, to)) return false;
        } catch (Refusal refusal) {
            if (refusal.number != Refusal.DAMAGED) throw refusal;
            if (from != null || number(to).equals(number(zeros()))) return false;
            for (String former : positions) keystore.delete(alias(name, former));
            positions.clear();
        }
        try {
            keystore.makeSecret(alias(name, to));
            for (String former : positions) keystore.delete(alias(name, former));
        } catch (Refusal refusal) {
            // It may have moved or not: where it stands now is what the next call finds.
            if (!to.equals(found(name))) throw new Refusal(Refusal.UNAVAILABLE, refusal);
        }
        if (!to.equals(position(name))) throw new Refusal(Refusal.UNAVAILABLE);
        return true;
    }

    /** Removes an anchor, the highest entry last: stopped halfway, it has not gone back. */
    void remove(String name) throws Refusal {
        for (String position : positions(name)) keystore.delete(alias(name, position));
    }

    private List<String> positions(String name) throws Refusal {
        String prefix = PREFIX + name + "/";
        List<String> positions = new ArrayList<>();
        for (String alias : keystore.aliases()) {
            if (!alias.startsWith(prefix)) continue;
            String position = alias.substring(prefix.length());
            if (position.length() == DIGITS && Hex.isHex(position)) positions.add(position);
        }
        // Digits of one length stand in the order of their numbers.
        Collections.sort(positions);
        return positions;
    }

    private String found(String name) {
        try {
            return position(name);
        } catch (Refusal refusal) {
            return null;
        }
    }

    /** Whether the number rises; at the end of the range, which only a forged anchor reaches, the mark alone changes. */
    private static boolean isAbove(String present, String to) {
        int order = number(present).compareTo(number(to));
        return order < 0 || order == 0 && number(to).equals("ffffffffffffffff") && !present.equals(to);
    }

    private static String alias(String name, String position) {
        return PREFIX + name + "/" + position;
    }

    private static String number(String position) {
        return position.substring(0, 16);
    }

    private static String zeros() {
        return "0000000000000000";
    }

    private static void requirePosition(String text) throws Refusal {
        if (text.length() != DIGITS || !Hex.isHex(text)) throw new Refusal(Refusal.UNCLASSIFIED);
    }
}
