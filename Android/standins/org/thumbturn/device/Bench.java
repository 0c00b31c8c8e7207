package org.thumbturn.device;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.json.JSONException;
import org.json.JSONObject;

/**
 * A vault by way of Java and C, on a device of this memory alone, as the simulated one is: what thumbturn-bench measures.
 *
 * <p>{@code Bench FOLDER}. A line each: {@code finger 1} (an unlock), {@code action COUNT}, {@code actions COUNT} (64 wait),
 * {@code fields COUNT}, {@code vault COUNT} (opened and closed), {@code memory 1} (resident, in KiB). Prints the nanoseconds of one.
 */
public final class Bench implements Bridge.Callbacks {
    private static final String PIN = "802461937514";
    private static final String READS = "{\"name\":\"resetError\",\"screen\":\"biometrics\"}";
    /** So many actions may wait at once (TT_FULL). */
    private static final int WINDOW = 64;

    private final Map<String, byte[]> items = new HashMap<>();
    private final Map<String, String> accesses = new HashMap<>();
    private final Map<String, KeyPair> keys = new HashMap<>();
    private final Map<String, String> anchors = new HashMap<>();
    private final Semaphore answers = new Semaphore(0);
    private final Semaphore end = new Semaphore(0);
    private final String home;
    private volatile String answer;
    private volatile String value = "";
    private long vault;
    private long lastTicket;

    private Bench(String home) {
        this.home = home;
    }

    public static void main(String[] arguments) throws Exception {
        Bench bench = new Bench(arguments[0]);
        bench.make();
        System.out.println("ready");
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            String[] words = line.split(" ");
            System.out.println(bench.measure(words[0], words.length > 1 ? Integer.parseInt(words[1]) : 1));
        }
        System.exit(0);
    }

    private long measure(String what, int count) throws Exception {
        long start = System.nanoTime();
        switch (what) {
            case "finger":
                require(act("unlock", "unlockWithBiometric", "", null));
                long spent = System.nanoTime() - start;
                require(act("unlock", "lock", "", null));
                return spent;
            case "action":
                stream(count, 1);
                break;
            case "actions":
                stream(count, WINDOW);
                break;
            case "fields":
                read(count);
                break;
            case "vault":
                List<WeakReference<Bench>> all = new ArrayList<>();
                for (int index = 0; index < count; index++) {
                    Bench other = new Bench(home);
                    other.open();
                    Bridge.close(other.vault);
                    other.end.acquire();
                    if (index % 100 == 0) all.add(new WeakReference<>(other));
                }
                requireNone(all);
                break;
            case "memory":
                return resident();
            default:
                throw new IllegalArgumentException(what);
        }
        return (System.nanoTime() - start) / count;
    }

    private void open() {
        ByteBuffer json = direct("{\"home\":" + JSONObject.quote(home)
            + ",\"language\":\"en\",\"policy\":\"wallet\",\"secret\":{\"kind\":\"pin\",\"length\":" + PIN.length() + "}}");
        long[] made = new long[1];
        if (Bridge.open(json, json.capacity(), this, made) != Bridge.OK) throw new IllegalStateException("no vault");
        vault = made[0];
    }

    private void make() throws Exception {
        open();
        require(act("app", "start", "", null));
        require(act("onboarding", "submitSecret", "", PIN));
        require(act("onboarding", "submitSecret", "", PIN));
        require(act("onboarding", "answer", ",\"consent\":true", null));
        while (!value.contains("\"state\":\"UNLOCKED\"")) Thread.sleep(1);
        require(act("unlock", "lock", "", null));
    }

    private String act(String screen, String name, String members, String typed) throws InterruptedException {
        long secret = 0;
        if (typed != null) {
            secret = makeSecret(typed.getBytes(StandardCharsets.UTF_8));
            members += ",\"secret\":\"taken\"";
        }
        ByteBuffer json = direct("{\"name\":\"" + name + "\",\"screen\":\"" + screen + "\"" + members + "}");
        if (Bridge.send(vault, ++lastTicket, json, json.capacity(), secret) != Bridge.OK) throw new IllegalStateException("not sent");
        answers.acquire();
        return answer;
    }

    private static void require(String answer) {
        if (!answer.equals("{\"error\":null}")) throw new IllegalStateException(answer);
    }

    /** Sends actions, so many of which wait at once. */
    private void stream(int count, int window) throws InterruptedException {
        ByteBuffer json = direct(READS);
        int waiting = 0;
        for (int index = 0; index < count; index++) {
            if (waiting == window) {
                answers.acquire();
                waiting--;
            }
            if (Bridge.send(vault, ++lastTicket, json, json.capacity(), 0) != Bridge.OK) throw new IllegalStateException("not sent");
            waiting++;
        }
        answers.acquire(waiting);
    }

    private void read(int count) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(1 << 16);
        long[] made = new long[1];
        for (int index = 0; index < count; index++) {
            buffer.clear();
            if (Bridge.fields(vault, buffer, made) != Bridge.OK) throw new IllegalStateException("no value");
            buffer.limit((int) made[0]);
            value = text(buffer);
        }
    }

    /** Nobody holds a vault any more that was closed: neither Swift nor a reference of the glue. */
    private static void requireNone(List<WeakReference<Bench>> all) throws InterruptedException {
        for (int tries = 0; tries < 100; tries++) {
            System.gc();
            if (all.stream().allMatch(each -> each.get() == null)) return;
            Thread.sleep(10);
        }
        throw new IllegalStateException("a closed vault is held");
    }

    private static long resident() throws Exception {
        for (String line : java.nio.file.Files.readAllLines(java.nio.file.Paths.get("/proc/self/status"))) {
            if (line.startsWith("VmRSS:")) return Long.parseLong(line.replaceAll("[^0-9]", ""));
        }
        throw new IllegalStateException("no VmRSS");
    }

    // ---- What the library calls ----

    @Override
    public void clock(ByteBuffer reading) {
        reading.order(ByteOrder.nativeOrder());
        reading.putLong(0, System.currentTimeMillis()).putLong(8, System.nanoTime() / 1_000_000).putLong(16, 1).putLong(24, 0);
    }

    @Override
    public void ask(long asking, long call, int operation, ByteBuffer bytes, long secret) {
        String json = "{}";
        long given = 0;
        int refusal = 0;
        try {
            JSONObject asked = new JSONObject(text(bytes));
            String name = asked.optString("name");
            byte[] input = secret == 0 ? null : take(secret);
            switch (operation) {
                case 1:
                    json = "{\"assurance\":{\"anyBiometryOrPasscode\":\"hardwareBound\",\"currentBiometrySet\":\"hardwareBound\","
                        + "\"deviceOnly\":\"hardwareBound\"},\"kind\":\"android\"}";
                    break;
                case 2: json = "{\"installation\":\"00112233445566778899aabbccddeeff\"}"; break;
                case 3: json = "{\"assurance\":\"hardwareBound\",\"reason\":null,\"sensor\":\"touchID\"}"; break;
                case 5:
                    items.put(name, input);
                    accesses.put(name, asked.getString("access"));
                    break;
                case 6:
                    if (items.containsKey(name)) given = makeSecret(items.get(name));
                    else refusal = Refusal.ABSENT;
                    break;
                case 7:
                    json = items.containsKey(name)
                        ? "{\"item\":{\"access\":\"" + access(name) + "\",\"staysOnDevice\":true}}" : "{\"item\":null}";
                    break;
                case 8: items.remove(name); break;
                case 9: items.put(name, new byte[32]); break;
                case 10: given = makeSecret(evaluate(items.get(name), input)); break;
                case 11:
                    KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
                    generator.initialize(256);
                    keys.put(name, generator.generateKeyPair());
                    items.put(name, new byte[0]);
                    json = publicKey(name);
                    break;
                case 12: json = publicKey(name); break;
                case 13:
                    Signature signature = Signature.getInstance("SHA256withECDSA");
                    signature.initSign(keys.get(name).getPrivate());
                    signature.update(Hex.bytes(asked.getString("message")));
                    json = "{\"signature\":\"" + Hex.of(signature.sign()) + "\"}";
                    break;
                case 14: json = "{\"position\":" + (anchors.containsKey(name) ? JSONObject.quote(anchors.get(name)) : "null") + "}"; break;
                case 15:
                    anchors.put(name, asked.getString("to"));
                    json = "{\"moved\":true}";
                    break;
                case 16: anchors.remove(name); break;
                case 17: return;
                default: refusal = Refusal.UNCLASSIFIED;
            }
        } catch (JSONException | GeneralSecurityException | Refusal failure) {
            refusal = Refusal.UNCLASSIFIED;
        }
        ByteBuffer answered = direct(json);
        Bridge.answer(asking, call, refusal, 0, answered, answered.capacity(), given);
    }

    private String publicKey(String name) {
        return "{\"publicKey\":\"" + Hex.of(keys.get(name).getPublic().getEncoded()) + "\"}";
    }

    private String access(String name) {
        return accesses.getOrDefault(name, Access.DEVICE_ONLY.text);
    }

    @Override
    public void changed(ByteBuffer json) {
        value = text(json);
    }

    @Override
    public void answered(long ticket, ByteBuffer json) {
        answer = text(json);
        answers.release();
    }

    @Override
    public void lent(long ticket, ByteBuffer bytes) {}

    @Override
    public void closed() {
        end.release();
    }

    // ---- Bytes ----

    private static byte[] evaluate(byte[] key, byte[] input) throws GeneralSecurityException {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(key, "HmacSHA256"));
        return mac.doFinal(input);
    }

    private static long makeSecret(byte[] bytes) {
        long[] made = new long[1];
        Bridge.secretMake(bytes.length, made);
        Bridge.secretBytes(made[0]).put(bytes);
        return made[0];
    }

    private static byte[] take(long secret) {
        ByteBuffer bytes = Bridge.secretBytes(secret);
        byte[] copy = new byte[bytes.remaining()];
        bytes.get(copy);
        Bridge.secretDrop(secret);
        return copy;
    }

    private static ByteBuffer direct(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        ByteBuffer buffer = ByteBuffer.allocateDirect(bytes.length);
        buffer.put(bytes).flip();
        return buffer;
    }

    private static String text(ByteBuffer bytes) {
        return StandardCharsets.UTF_8.decode(bytes).toString();
    }
}
