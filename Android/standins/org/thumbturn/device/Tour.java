package org.thumbturn.device;

import android.app.Activity;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.thumbturn.standin.Phone;

/**
 * An app on a phone, in a Java machine of its own: uses a vault in every way that touches its secrets, then locks it and waits to be
 * looked at from outside.
 *
 * <p>{@code Tour FOLDER LEVEL}. PIN (16 digits) and words come through standard input, straight into the library's memory. It says
 * {@code ready}, {@code unlocked}, {@code locked} and {@code left}, and goes on after a byte; what comes at last it keeps in arrays.
 */
public final class Tour {
    private static final int PIN = 16;
    private static final String DONE = "{\"error\":null}";

    private static final FileChannel INPUT = new FileInputStream(FileDescriptor.in).getChannel();
    private static ThumbturnVault vault;
    private static volatile int lent;

    private Tour() {}

    public static void main(String[] arguments) throws Exception {
        Phone.start(arguments[0], Integer.parseInt(arguments[1]));
        Activity activity = Phone.launch();
        say("ready");
        Phone.mainThread().submit(() -> {
            vault = ThumbturnVault.open(Phone.app(), activity,
                "{\"language\":\"en\",\"policy\":\"wallet\",\"secret\":{\"kind\":\"pin\",\"length\":" + PIN + "}}",
                new ThumbturnVault.Listener() {
                    @Override
                    public void changed(String value) {}

                    @Override
                    public void lent(long ticket, ByteBuffer secret) {
                        lent = secret.remaining();
                    }
                });
        }).get();
        send("app", "start", "", null);
        send("onboarding", "submitSecret", "", receive(PIN));
        send("onboarding", "submitSecret", "", receive(PIN));
        send("onboarding", "answer", ",\"consent\":true", null);
        await("\"state\":\"UNLOCKED\"");
        send("wallets", "import", ",\"wallet\":\"Savings\"", receive(count()));
        String wallet = await("\"id\":\"([0-9a-f]{32})\"");

        send("unlock", "lock", "", null);
        Phone.touch("match");
        send("unlock", "unlockWithBiometric", "", null);
        send("unlock", "lock", "", null);
        send("unlock", "submitSecret", "", receive(PIN));
        send("wallets", "export", ",\"wallet\":\"" + wallet + "\"", receive(PIN));
        if (lent == 0) throw new IllegalStateException("nothing was lent");
        say("unlocked");
        count();
        send("unlock", "lock", "", null);
        say("locked");
        count();
        List<byte[]> kept = new ArrayList<>();
        for (int count = count(); count > 0; count = count()) {
            byte[] bytes = new byte[count];
            receive(ByteBuffer.wrap(bytes));
            kept.add(bytes);
        }
        say("left");
        while (!kept.isEmpty()) Thread.sleep(1_000); // whoever looks kills this process
    }

    private static void send(String screen, String name, String members, SecretBuffer secret) throws InterruptedException {
        CountDownLatch done = new CountDownLatch(1);
        String[] answer = {"no answer"};
        String taken = secret == null ? "" : ",\"secret\":\"taken\"";
        vault.send("{\"name\":\"" + name + "\",\"screen\":\"" + screen + "\"" + members + taken + "}", secret, told -> {
            answer[0] = told;
            done.countDown();
        });
        done.await(60, TimeUnit.SECONDS);
        if (!answer[0].equals(DONE)) throw new IllegalStateException(screen + " " + name + ": " + answer[0]);
    }

    /** Waits until the value has this; returns the first group, if there is one. */
    private static String await(String wanted) throws InterruptedException {
        Pattern pattern = Pattern.compile(wanted);
        for (int tries = 0; tries < 2_000; tries++) {
            Matcher found = pattern.matcher(vault.fields());
            if (found.find()) return found.groupCount() > 0 ? found.group(1) : "";
            Thread.sleep(5);
        }
        throw new IllegalStateException("never " + wanted);
    }

    private static SecretBuffer receive(int count) throws IOException {
        SecretBuffer secret = new SecretBuffer(count);
        receive(secret.bytes());
        return secret;
    }

    private static void receive(ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) if (INPUT.read(bytes) < 0) throw new IOException("the end");
    }

    /** Reads one byte; 0 at the end. */
    private static int count() throws IOException {
        ByteBuffer one = ByteBuffer.allocateDirect(1);
        return INPUT.read(one) < 1 ? 0 : one.get(0) & 0xff;
    }

    private static void say(String word) {
        System.out.println(word);
    }
}
