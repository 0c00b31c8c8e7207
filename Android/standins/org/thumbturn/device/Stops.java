package org.thumbturn.device;

import android.app.KeyguardManager;
import android.hardware.biometrics.BiometricManager;
import android.system.Os;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.crypto.Cipher;
import org.thumbturn.standin.Phone;

/**
 * Stops each change of the store at every call to key store and files, and opens what is there then anew: it is as before the
 * change or as after it, and can be used on. {@link Kills} shows that a copy of the folder is what a killed process leaves.
 *
 * <p>{@code Stops FOLDER LEVEL...}: stops what is done after each stop once more, and prints a table; 1 if anything was lost.
 */
public final class Stops {
    private static final String NAME = "thumbturn.00000000000000000000000000000001.credential.00000000000000000000000000000002";
    private static final byte[] SECRET = new byte[32];
    private static final String ONE = "0000000000000001" + "11111111111111111111111111111111";
    private static final String TWO = "0000000000000002" + "22222222222222222222222222222222";
    private static final String HIGHEST = "0000000000000009" + "99999999999999999999999999999999";
    /** After every fourth stop: 22,000 situations at six levels. */
    private static final int NESTED = 4;

    /** The store as a new process makes it. */
    static final class Parts {
        final Keystore keystore = new Keystore();
        final Items items;
        final Anchors anchors = new Anchors(keystore);
        final Installation installation;

        Parts() {
            PrivateFolder folder = new PrivateFolder(Phone.app().getNoBackupFilesDir(), "thumbturn-items");
            KeyguardManager keyguard = Phone.app().getSystemService(KeyguardManager.class);
            Sensor sensor = new Sensor(Phone.app().getSystemService(BiometricManager.class), keyguard, Phone.app().getPackageManager());
            items = new Items(keystore, folder, sensor, keyguard);
            installation = new Installation(keystore, folder);
        }
    }

    interface Run {
        void run(Parts parts) throws Refusal;
    }

    /** Says in a word what is there. */
    interface Look {
        String run(Parts parts) throws Refusal;
    }

    /** One change, and the word for what is there after it. */
    abstract static class Change {
        final String name;

        Change(String name) {
            this.name = name;
        }

        abstract void run(Parts parts, String before) throws Refusal;

        abstract String after(String before);
    }

    /** A thing of the store with its changes. */
    static final class Kind {
        final String name;
        final Look look;
        final Run goOn;
        final Change[] changes;

        Kind(String name, Look look, Run goOn, Change... changes) {
            this.name = name;
            this.look = look;
            this.goOn = goOn;
            this.changes = changes;
        }
    }

    private static Change save(Access access) {
        return new Change("save, " + access.text) {
            @Override
            void run(Parts parts, String before) throws Refusal {
                parts.items.save(NAME, access, SECRET);
            }

            @Override
            String after(String before) {
                return before.equals("absent") ? access.text : before; // a name is used once
            }
        };
    }

    private static Change make(String what, Run making) {
        return new Change("make, " + what) {
            @Override
            void run(Parts parts, String before) throws Refusal {
                making.run(parts);
            }

            @Override
            String after(String before) {
                return before.equals("absent") ? what : before;
            }
        };
    }

    private static Change remove(Run removing) {
        return new Change("delete") {
            @Override
            void run(Parts parts, String before) throws Refusal {
                removing.run(parts);
            }

            @Override
            String after(String before) {
                return "absent";
            }
        };
    }

    private static Change move(String to) {
        return new Change("move to " + Integer.parseInt(to.substring(0, 16))) {
            @Override
            void run(Parts parts, String before) throws Refusal {
                parts.anchors.move(NAME, before.equals("absent") ? null : before, to);
            }

            @Override
            String after(String before) {
                return before.equals("absent") || before.compareTo(to) < 0 ? to : before;
            }
        };
    }

    static final Kind[] KINDS = {
        new Kind("item", Stops::item, Stops::useItem,
            save(Access.DEVICE_ONLY), save(Access.CURRENT_BIOMETRY_SET), save(Access.ANY_BIOMETRY_OR_PASSCODE),
            remove(parts -> parts.items.delete(NAME))),
        new Kind("key", Stops::key, Stops::useKey,
            make("secret", parts -> parts.items.makeSecret(NAME)), make("signer", parts -> parts.items.makeSigner(NAME)),
            remove(parts -> parts.items.delete(NAME))),
        new Kind("anchor", Stops::anchor, Stops::useAnchor, move(ONE), move(TWO), remove(parts -> parts.anchors.remove(NAME))),
        new Kind("installation", parts -> "any", Stops::useInstallation, new Change("name") {
            @Override
            void run(Parts parts, String before) throws Refusal {
                parts.installation.name();
            }

            @Override
            String after(String before) {
                return "any";
            }
        }),
    };

    // ---- What is there ----

    private static String item(Parts parts) throws Refusal {
        Access access = parts.items.describe(NAME);
        try {
            Box box = parts.items.box(NAME);
            byte[] read;
            if (box.access.isGuarded()) {
                Cipher cipher = parts.items.cipher(NAME);
                Phone.recognise(cipher);
                read = cipher.doFinal(box.ciphertext);
            } else {
                read = parts.items.open(NAME, box);
            }
            return access == box.access && Arrays.equals(read, SECRET) ? access.text : "another item, described as " + access;
        } catch (Refusal refusal) {
            return refusal.number == Refusal.ABSENT && access == null ? "absent" : "described as " + access + ", read as " + refusal.number;
        } catch (GeneralSecurityException failure) {
            return "described as " + access + ", and does not open: " + failure;
        }
    }

    private static void useItem(Parts parts) throws Refusal {
        parts.items.delete(NAME);
        require(parts.items.describe(NAME) == null, "there after it was deleted");
        parts.items.save(NAME, Access.DEVICE_ONLY, SECRET);
        require(item(parts).equals(Access.DEVICE_ONLY.text), "its name is not free");
    }

    private static String key(Parts parts) throws Refusal {
        if (parts.items.describe(NAME) == null) return "absent";
        try {
            return parts.items.evaluate(NAME, SECRET).length == 32 ? "secret" : "a secret of another length";
        } catch (Refusal refusal) {
            if (refusal.number != Refusal.ABSENT) throw refusal;
            return parts.items.sign(NAME, SECRET).length > 0 ? "signer" : "no signature";
        }
    }

    private static void useKey(Parts parts) throws Refusal {
        parts.items.delete(NAME);
        require(key(parts).equals("absent"), "there after it was deleted");
        parts.items.makeSecret(NAME);
        require(key(parts).equals("secret"), "its name is not free");
    }

    private static String anchor(Parts parts) throws Refusal {
        String position = parts.anchors.position(NAME);
        return position == null ? "absent" : position;
    }

    private static void useAnchor(Parts parts) throws Refusal {
        String stands = parts.anchors.position(NAME);
        require(parts.anchors.move(NAME, stands, HIGHEST) && HIGHEST.equals(parts.anchors.position(NAME)), "it does not move on");
    }

    private static void useInstallation(Parts parts) throws Refusal {
        require(parts.installation.name().equals(new Parts().installation.name()), "two names of one installation");
    }

    private static void require(boolean isSo, String what) {
        if (!isSo) throw new IllegalStateException(what);
    }

    // ---- Stopping ----

    /** What was found of one change. */
    private static final class Row {
        int steps;
        int situations;
        int arrived;
        final List<String> losses = new ArrayList<>();
    }

    private final File folder;
    private final int level;
    private final boolean isNested;
    private final Map<String, Row> rows;
    private int stopCount;

    private Stops(File folder, int level, boolean isNested, Map<String, Row> rows) {
        this.folder = folder;
        this.level = level;
        this.isNested = isNested;
        this.rows = rows;
    }

    /** Stops each change once, at one level; returns how many situations there were, or what was wrong. */
    static String walk(String path, int level) throws Exception {
        Map<String, Row> rows = new LinkedHashMap<>();
        new Stops(new File(path), level, false, rows).walk();
        int count = 0;
        for (Row row : rows.values()) {
            if (!row.losses.isEmpty()) return row.losses.get(0);
            count += row.situations;
        }
        return "" + count;
    }

    public static void main(String[] arguments) throws Exception {
        long start = System.nanoTime();
        Phone.reusesPairs = true;
        Map<String, Row> rows = new LinkedHashMap<>();
        for (int index = 1; index < arguments.length; index++) {
            new Stops(new File(arguments[0]), Integer.parseInt(arguments[index]), true, rows).walk();
        }
        int situations = 0;
        List<String> losses = new ArrayList<>();
        // As the rows of `Crash`.
        System.out.println("change of Android's store                    steps situations arrived   losses");
        for (Map.Entry<String, Row> each : rows.entrySet()) {
            Row row = each.getValue();
            System.out.printf("%-40s%9d%9d%9d%9d%n", each.getKey(), row.steps, row.situations, row.arrived, row.losses.size());
            situations += row.situations;
            losses.addAll(row.losses);
        }
        for (String loss : losses.subList(0, Math.min(20, losses.size()))) System.out.println("    " + loss);
        System.out.printf("%d situations of Android's store, %d losses, in %d s%n", situations, losses.size(),
            (System.nanoTime() - start) / 1_000_000_000);
        System.exit(losses.isEmpty() && situations > 0 ? 0 : 1);
    }

    private void walk() throws Exception {
        for (Kind kind : KINDS) {
            for (Change change : kind.changes) {
                stopFrom(kind, null, change);
                for (Change first : kind.changes) stopFrom(kind, first, change);
            }
        }
    }

    private void stopFrom(Kind kind, Change first, Change change) throws Exception {
        File phone = fresh("phone");
        Phone.start(phone.getPath(), level);
        String before = kind.look.run(new Parts());
        if (first != null) first.run(new Parts(), before);
        stop(kind, change, phone, "once");
    }

    /** Stops a change of a phone at every call, and looks at each copy. */
    private void stop(Kind kind, Change change, File phone, String name) throws Exception {
        Phone.start(phone.getPath(), level);
        String before = kind.look.run(new Parts());
        File copied = fresh(name);
        Copies made = copies(change, before, phone, copied);
        int copies = made.count;
        String after = made.after;
        Row row = rows.computeIfAbsent("android " + kind.name + ": " + change.name, unused -> new Row());
        row.steps = Math.max(row.steps, copies);
        for (int index = 0; index < copies; index++) {
            File copy = new File(copied, "" + index);
            boolean isNesting = isNested && name.equals("once") && ++stopCount % NESTED == 0;
            File again = isNesting ? fresh("again") : null;
            if (isNesting) copy(copy, again);
            row.situations++;
            Phone.start(copy.getPath(), level);
            String loss = look(kind, before, after, index == copies - 1, row);
            if (loss != null) {
                row.losses.add(kind.name + ", " + change.name + ", " + name + " at call " + index + " of " + copies + ": " + loss);
            }
            if (!isNesting) continue;
            for (Change next : kind.changes) {
                File other = fresh("other");
                copy(again, other);
                stop(kind, next, other, "twice");
            }
        }
    }

    /** Looks at a copy; once the change has returned, what is there is as after it. */
    private static String look(Kind kind, String before, String after, boolean isDone, Row row) {
        try {
            String found = kind.look.run(new Parts());
            String loss = loss(found, before, after, isDone);
            if (loss != null) return loss;
            if (found.equals(after) && !after.equals(before)) row.arrived++;
            kind.goOn.run(new Parts());
            return null;
        } catch (Refusal refusal) {
            return "refused as " + refusal.number;
        } catch (IllegalStateException failure) {
            return failure.getMessage();
        }
    }

    /** Returns what is wrong with what was found after a change was stopped; null for nothing. */
    static String loss(String found, String before, String after, boolean isDone) {
        if (found.equals(after) || !isDone && found.equals(before)) return null;
        return found + (isDone ? " where " + after + " was reported" : " between " + before + " and " + after);
    }

    /** What a change left at each call. */
    static final class Copies {
        /** How many there are. */
        final int count;
        /** The word for what is there once it has returned. */
        final String after;

        Copies(int count, String after) {
            this.count = count;
            this.after = after;
        }
    }

    /**
     * Changes a phone that was started, and copies its folder before each call and at the end: 0, 1 and so on. A change that returns
     * has synchronised what it wrote, since a power loss stops more than a process.
     */
    static Copies copies(Change change, String before, File phone, File into) throws Exception {
        int[] count = {0};
        String after = change.after(before);
        Phone.everyCall = () -> copyUnchecked(phone, new File(into, "" + count[0]++));
        Os.takeUnsynced();
        try {
            change.run(new Parts(), before);
            List<String> lost = Os.takeUnsynced();
            if (!lost.isEmpty()) throw new IllegalStateException(change.name + " returns before this is synchronised: " + lost);
        } catch (Refusal refusal) {
            // A name that is taken, if only by what a stopped change left: it changes nothing.
            if (refusal.number != Refusal.UNCLASSIFIED) throw refusal;
            after = before;
        } finally {
            Phone.everyCall = null;
        }
        copy(phone, new File(into, "" + count[0]++));
        return new Copies(count[0], after);
    }

    // ---- Folders ----

    private File fresh(String name) {
        return fresh(folder, name);
    }

    static File fresh(File folder, String name) {
        File file = new File(folder, name);
        clear(file);
        file.mkdirs();
        return file;
    }

    static void copy(File from, File to) throws IOException {
        File[] inside = from.listFiles();
        if (inside == null) {
            if (from.isFile()) Files.copy(from.toPath(), to.toPath(), StandardCopyOption.REPLACE_EXISTING);
            return;
        }
        to.mkdirs();
        for (File each : inside) copy(each, new File(to, each.getName()));
    }

    private static void copyUnchecked(File from, File to) {
        try {
            copy(from, to);
        } catch (IOException failure) {
            throw new IllegalStateException(failure);
        }
    }

    private static void clear(File folder) {
        File[] inside = folder.listFiles();
        if (inside != null) for (File each : inside) clear(each);
        folder.delete();
    }
}
