package org.thumbturn.device;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.thumbturn.standin.Phone;

/**
 * Kills Java machines in the midst of a change of the store (SIGKILL). What each leaves is as before the change or as after it, and
 * as after it once the change returned; and it is what a copy of {@link Stops} has: the same files, and the same thing found in them.
 *
 * <p>{@code Kills FOLDER COUNT LEVEL...}. Every second machine changes a new phone, and waits in the call at which it is killed, so one
 * copy alone will do. The others change one that was changed before, run on, and may leave what a later copy has.
 */
public final class Kills {
    private Kills() {}

    /** Where a change is cut off. */
    private static final class Cut {
        final int level;
        final int kind;
        final int first; // the change before, -1 for none
        final int change;
        final int call;

        Cut(int level, int kind, int first, int change, int call) {
            this.level = level;
            this.kind = kind;
            this.first = first;
            this.change = change;
            this.call = call;
        }

        Stops.Kind kind() {
            return Stops.KINDS[kind];
        }

        Stops.Change change() {
            return kind().changes[change];
        }
    }

    public static void main(String[] arguments) throws Exception {
        if (arguments[0].equals("child")) {
            change(arguments);
            return;
        }
        long start = System.nanoTime();
        Phone.reusesPairs = true;
        File folder = new File(arguments[0]);
        int wanted = Integer.parseInt(arguments[1]);
        List<Cut> news = new ArrayList<>();
        List<Cut> others = new ArrayList<>();
        for (String level : Arrays.copyOfRange(arguments, 2, arguments.length)) addCuts(news, others, Integer.parseInt(level), folder);
        int wrong = 0;
        for (int index = 0; index < wanted; index++) {
            boolean isNew = index % 2 == 0;
            List<Cut> cuts = isNew ? news : others;
            String found = kill(folder, cuts.get((int) ((long) index * cuts.size() / wanted)), isNew);
            if (found == null) continue;
            wrong++;
            System.out.println("    " + found);
        }
        System.out.printf("%d Java machines killed, %d left what they should not, in %d s%n", wanted, wrong,
            (System.nanoTime() - start) / 1_000_000_000);
        System.exit(wrong == 0 ? 0 : 1);
    }

    private static void addCuts(List<Cut> news, List<Cut> others, int level, File folder) throws Exception {
        for (int kind = 0; kind < Stops.KINDS.length; kind++) {
            for (int change = 0; change < Stops.KINDS[kind].changes.length; change++) {
                for (int first = -1; first < Stops.KINDS[kind].changes.length; first++) {
                    Cut whole = new Cut(level, kind, first, change, 0);
                    int copies = prepared(folder, whole).copies;
                    List<Cut> cuts = first < 0 ? news : others;
                    for (int call = 0; call < copies; call++) cuts.add(new Cut(level, kind, first, change, call));
                }
            }
        }
    }

    /** A phone before the change, what was there, and the copies of the change done to another. */
    private static final class Prepared {
        File phone;
        String before;
        File copied;
        int copies;
    }

    private static Prepared prepared(File folder, Cut cut) throws Exception {
        Prepared made = new Prepared();
        made.phone = Stops.fresh(folder, "phone");
        Phone.start(made.phone.getPath(), cut.level);
        String before = cut.kind().look.run(new Stops.Parts());
        if (cut.first >= 0) cut.kind().changes[cut.first].run(new Stops.Parts(), before);
        made.before = cut.kind().look.run(new Stops.Parts());
        File other = Stops.fresh(folder, "other");
        Stops.copy(made.phone, other);
        made.copied = Stops.fresh(folder, "copied");
        Phone.start(other.getPath(), cut.level);
        made.copies = Stops.copies(cut.change(), made.before, other, made.copied).count;
        return made;
    }

    /** Kills one machine; returns what it left, if no copy has that. */
    private static String kill(File folder, Cut cut, boolean waits) throws Exception {
        Prepared made = prepared(folder, cut);
        Process child = new ProcessBuilder(System.getProperty("java.home") + "/bin/java", "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC", "-cp", System.getProperty("java.class.path"), Kills.class.getName(), "child", made.phone.getPath(), "" + cut.level,
            "" + cut.kind, "" + cut.change, made.before, "" + cut.call, "" + waits).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        BufferedReader told = new BufferedReader(new InputStreamReader(child.getInputStream(), StandardCharsets.UTF_8));
        String line = told.readLine();
        child.destroyForcibly();
        if (child.waitFor() != 128 + 9 || !"here".equals(line)) return name(cut) + ": it was not killed";
        String names = names(made.phone, cut);
        String found = found(made.phone, cut);
        String loss = Stops.loss(found, made.before, cut.change().after(made.before), cut.call == made.copies - 1);
        if (loss != null) return name(cut) + ": " + loss;
        String left = found + " " + names;
        for (int index = cut.call; index < (waits ? cut.call + 1 : made.copies); index++) {
            File copy = new File(made.copied, "" + index);
            names = names(copy, cut);
            if (left.equals(found(copy, cut) + " " + names)) return null;
        }
        return name(cut) + (waits ? " (waiting)" : " (running)") + ": no copy has " + left;
    }

    private static String name(Cut cut) {
        return cut.level + " " + cut.kind().name + ", " + cut.change().name + " at call " + cut.call;
    }

    /** Opens what is there; it goes on with the phone's folder. */
    private static String found(File phone, Cut cut) {
        Phone.start(phone.getPath(), cut.level);
        try {
            return cut.kind().look.run(new Stops.Parts());
        } catch (Refusal refusal) {
            return "refused as " + refusal.number;
        }
    }

    /** Which files there are; of the key store's daemon, which nobody kills, whole ones. */
    private static String names(File phone, Cut cut) {
        List<String> names = new ArrayList<>();
        add(names, phone, "");
        // Of an installation the entry's name is random.
        if (cut.kind().name.equals("installation")) names.replaceAll(name -> name.startsWith("/keystore/") ? "/keystore/one" : name);
        names.sort(null);
        return names.toString();
    }

    private static void add(List<String> names, File file, String path) {
        File[] inside = file.listFiles();
        if (inside != null) {
            for (File each : inside) add(names, each, path + "/" + each.getName());
        } else if (!path.startsWith("/keystore/") || !path.endsWith(".new")) {
            names.add(path + (file.length() == 0 ? " (empty)" : ""));
        }
    }

    /** The machine that is killed. */
    private static void change(String[] arguments) throws Exception {
        Phone.start(arguments[1], Integer.parseInt(arguments[2]));
        Stops.Change change = Stops.KINDS[Integer.parseInt(arguments[3])].changes[Integer.parseInt(arguments[4])];
        int call = Integer.parseInt(arguments[6]);
        boolean waits = Boolean.parseBoolean(arguments[7]);
        int[] count = {0};
        Phone.everyCall = () -> {
            if (count[0]++ == call) stand(waits);
        };
        try {
            change.run(new Stops.Parts(), arguments[5]);
        } catch (Refusal refusal) {
            if (refusal.number != Refusal.UNCLASSIFIED) throw refusal; // a name that is taken
        }
        if (count[0] == call) stand(true);
        Thread.sleep(60_000);
    }

    private static void stand(boolean waits) {
        System.out.println("here");
        if (!waits) return;
        try {
            Thread.sleep(60_000);
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }
}
