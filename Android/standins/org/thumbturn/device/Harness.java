package org.thumbturn.device;

import android.app.Activity;
import java.io.File;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.crypto.Cipher;
import javax.crypto.spec.SecretKeySpec;
import org.thumbturn.standin.Phone;

/** What the tests ask of the phone and of the app on it, in lines of text. */
public final class Harness {
    private static ThumbturnVault vault;
    private static Activity activity;
    private static volatile String lent = "";
    private static volatile boolean takesSecrets = true;
    private static volatile String value = "";
    private static int answered;

    private Harness() {}

    /** Does one command; throws for one that it does not know. */
    public static String call(String command, String argument) throws Exception {
        String[] lines = argument.split("\n", -1);
        switch (command) {
            case "start": // a folder and a level: a phone, and an app without a vault yet
                Phone.start(lines[0], Integer.parseInt(lines[1]));
                activity = Phone.launch();
                return "";
            case "open": // told of the activity that is up, or not
                return "" + open(argument.equals("unseen") ? null : activity);
            case "close":
                vault.close();
                return "";
            case "happen":
                return "" + Phone.happen(argument);
            case "touch":
                Phone.touch(argument);
                return "";
            case "fault":
                hookedCipher();
                Phone.fault(argument);
                return "";
            case "prompts":
                return "" + Phone.promptsShown();
            case "send": // an action, and the secret that it takes
                return send(lines[0], lines.length > 1 ? lines[1] : null);
            case "lent":
                return lent;
            case "takesSecrets": // whether the app has room for what is lent to it
                takesSecrets = argument.equals("true");
                return "";
            case "fields":
                return vault.fields();
            case "window":
                return (activity.getWindow().flags & 0x2000) + " " + activity.showsInRecents + " "
                    + (activity.getWindow().getDecorView().findViewWithTag("org.thumbturn.cover") != null);
            case "heap": // what the glue answers to a buffer that the collector may move
                return heap();
            case "misuse":
                return misuse();
            case "throws":
                return throwing();
            case "refusals":
                return refusals();
            case "doubled": // an anchor's name and a position of the number that it has
                new Keystore().makeSecret("thumbturn/anchor/" + lines[0] + "/" + lines[1]);
                return "";
            case "tooWeak":
                return "" + vault.sensorIsTooWeak();
            case "stops":
                return Stops.walk(lines[0], Integer.parseInt(lines[1]));
            case "keepFolder": // a copy of the app's folder, without the key store
                Stops.copy(new File(Phone.folder(), "data"), new File(Phone.folder(), "kept"));
                return "";
            case "restoreFolder":
                Stops.copy(new File(Phone.folder(), "kept"), new File(Phone.folder(), "data"));
                return "";
            case "coverage": // what JaCoCo has counted: this machine is never ended, after which it would write by itself
                Object agent = Class.forName("org.jacoco.agent.rt.RT").getMethod("getAgent").invoke(null);
                agent.getClass().getMethod("dump", boolean.class).invoke(agent, true);
                return "";
            case "keystoreOnMain":
                return onMain();
            default:
                throw new IllegalArgumentException(command);
        }
    }

    private static long open(Activity current) throws Exception {
        lent = value = "";
        takesSecrets = true;
        Phone.mainThread().submit(() -> {
            vault = ThumbturnVault.open(Phone.app(), current,
                "{\"language\":\"en\",\"policy\":\"wallet\",\"secret\":{\"kind\":\"pin\",\"length\":6}}",
                new ThumbturnVault.Listener() {
                    @Override
                    public void changed(String told) {
                        value = told;
                    }

                    @Override
                    public void lent(long ticket, ByteBuffer secret) {
                        if (!takesSecrets) throw new IllegalStateException("no room");
                        lent = StandardCharsets.UTF_8.decode(secret).toString();
                    }
                });
        }).get();
        return vault.number();
    }

    private static String send(String action, String text) throws InterruptedException {
        SecretBuffer secret = null;
        if (text != null) {
            secret = new SecretBuffer(text.length());
            ByteBuffer bytes = secret.bytes();
            for (int index = 0; index < text.length(); index++) bytes.put((byte) text.charAt(index));
        }
        CountDownLatch done = new CountDownLatch(1);
        String[] answer = {"no answer"};
        vault.send(action, secret, told -> {
            answered++;
            answer[0] = told;
            done.countDown();
        });
        done.await(20, TimeUnit.SECONDS);
        return answer[0];
    }

    private static void hookedCipher() throws Exception {
        Cipher cipher = Cipher.getInstance("AES/ECB/PKCS5Padding");
        cipher.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(new byte[16], "AES"));
        Phone.hookedCipher = cipher;
    }

    /** A buffer of so many bytes, after which the memory that was asked for ends: Java asks for eights of them. */
    private static ByteBuffer exact(int count) {
        ByteBuffer whole = ByteBuffer.allocateDirect((count + 7) / 8 * 8);
        whole.position(whole.capacity() - count);
        return whole.slice();
    }

    private static String heap() {
        ByteBuffer heap = ByteBuffer.wrap("{\"name\":\"x\",\"screen\":\"pin\"}".getBytes(StandardCharsets.UTF_8));
        long[] made = new long[1];
        return Bridge.send(vault.number(), 900, heap, heap.capacity(), 0) + " " + Bridge.open(heap, heap.capacity(), null, made) + " "
            + Bridge.fields(vault.number(), ByteBuffer.allocate(64), made) + " "
            + Bridge.answer(vault.number(), 1, 0, 0, heap, heap.capacity(), 0);
    }

    /** Asks for what no host may have: each answer is a status, and none is 0. */
    private static String misuse() {
        ByteBuffer small = ByteBuffer.allocateDirect(8);
        ByteBuffer one = exact(1); // too small for `null` too, which is the value before the first
        long[] made = new long[1];
        long number = vault.number();
        StringBuilder all = new StringBuilder();
        int[] answers = {
            Bridge.send(number, 901, small, 9, 0), Bridge.send(number, 901, small, -1, 0), Bridge.send(number, 901, null, 0, 0),
            Bridge.send(0, 901, small, 8, 0), Bridge.send(number + 1, 901, small, 8, 0), Bridge.send(number, 0, small, 8, 0),
            Bridge.send(number, 901, small, 8, 77), Bridge.cancel(number, 5_000), Bridge.happen(number, 99),
            Bridge.answer(number, 5_000, 0, 0, small, 0, 0), Bridge.answer(number, 5_000, -1, 0, small, 0, 0),
            Bridge.secretMake(-1, made), Bridge.secretMake(1L << 40, made), Bridge.secretMake(1, null), Bridge.secretMake(1, new long[0]),
            Bridge.secretDrop(0), Bridge.fields(number, one, made), Bridge.fields(number, one, null), Bridge.close(0),
        };
        for (int each : answers) all.append(each).append(' ');
        // A buffer that is just long enough; once more where the value has become another meanwhile.
        boolean isFilled = false;
        for (int tries = 0; tries < 100 && !isFilled; tries++) {
            Bridge.fields(number, one, made);
            ByteBuffer value = exact((int) made[0]);
            isFilled = Bridge.fields(number, value, made) == Bridge.OK && made[0] == value.capacity();
        }
        all.append(isFilled).append(' ');
        Bridge.secretMake(4, made);
        all.append(Bridge.secretDrop(made[0])).append(' ').append(Bridge.secretDrop(made[0])).append(' ')
            .append(Bridge.secretBytes(made[0]) == null);
        return all.toString();
    }

    /** A host all of whose methods throw: the glue ends each, answers the device's calls itself, and closes. */
    private static String throwing() throws Exception {
        CountDownLatch closed = new CountDownLatch(1);
        CountDownLatch answered = new CountDownLatch(1);
        StringBuffer called = new StringBuffer();
        Bridge.Callbacks host = new Bridge.Callbacks() {
            @Override
            public void clock(ByteBuffer reading) {
                throw new IllegalStateException("clock");
            }

            @Override
            public void ask(long vault, long call, int operation, ByteBuffer json, long secret) {
                throw new IllegalStateException("ask");
            }

            @Override
            public void changed(ByteBuffer json) {
                throw new IllegalStateException("changed");
            }

            @Override
            public void answered(long ticket, ByteBuffer json) {
                called.append("once");
                answered.countDown();
                throw new IllegalStateException("answered");
            }

            @Override
            public void lent(long ticket, ByteBuffer bytes) {
                throw new IllegalStateException("lent");
            }

            @Override
            public void closed() {
                closed.countDown();
                throw new IllegalStateException("closed");
            }
        };
        File home = new File(Phone.folder(), "throwing");
        home.mkdirs();
        long[] made = new long[1];
        ByteBuffer json = direct("{\"home\":\"" + home
            + "\",\"language\":\"en\",\"policy\":\"wallet\",\"secret\":{\"kind\":\"pin\",\"length\":6}}");
        int status = Bridge.open(json, json.capacity(), host, made);
        ByteBuffer start = direct("{\"name\":\"start\",\"screen\":\"app\"}");
        int sent = Bridge.send(made[0], 1, start, start.capacity(), 0);
        boolean isAnswered = answered.await(20, TimeUnit.SECONDS);
        Bridge.close(made[0]);
        return status + " " + sent + " " + isAnswered + " " + called + " " + closed.await(20, TimeUnit.SECONDS);
    }

    /** What an app may do wrong with its vault: each is refused by an exception, or does nothing. */
    private static String refusals() {
        StringBuilder all = new StringBuilder();
        String[] configurations = {"no JSON", "{\"language\":\"xx\"}"};
        for (String each : configurations) all.append(refused(() -> ThumbturnVault.open(Phone.app(), null, each, null))).append(' ');
        all.append(refused(() -> vault.send("no JSON", null, told -> {}))).append(' ');
        vault.cancel(5_000);
        SecretBuffer secret = new SecretBuffer(6);
        secret.close();
        secret.close();
        all.append(refused(secret::bytes)).append(' ');
        return all.append(refused(() -> new SecretBuffer(-1))).toString();
    }

    private static String refused(Runnable body) {
        try {
            body.run();
            return "taken";
        } catch (IllegalArgumentException | IllegalStateException failure) {
            return failure.getClass().getSimpleName();
        }
    }

    private static ByteBuffer direct(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        ByteBuffer buffer = exact(bytes.length);
        buffer.put(bytes).flip();
        return buffer;
    }

    private static String onMain() throws Exception {
        return Phone.mainThread().submit(() -> {
            try {
                new Keystore().contains("anything");
                return "answered";
            } catch (Refusal refusal) {
                return "refused";
            }
        }).get();
    }
}
