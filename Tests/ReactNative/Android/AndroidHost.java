package org.thumbturn.host;

import android.app.Activity;
import android.graphics.Canvas;
import android.view.View;
import android.view.ViewGroup;
import android.view.inputmethod.EditorInfo;
import android.view.inputmethod.InputConnection;
import android.view.inputmethod.InputMethodManager;
import com.facebook.react.bridge.ReactContext;
import com.facebook.react.common.LifecycleState;
import expo.modules.kotlin.AppContext;
import expo.modules.kotlin.Promise;
import expo.modules.kotlin.modules.ModuleDefinitionData;
import java.io.BufferedReader;
import java.io.DataInputStream;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import kotlin.Unit;
import org.json.JSONException;
import org.json.JSONObject;
import org.thumbturn.reactnative.ThumbturnModule;
import org.thumbturn.standin.Phone;

/**
 * An Android app with React Native's module, in a Java machine: in JavaScript's place stand the lines that the tests write.
 *
 * <p>It speaks as the playground's phone does: orders and states on standard input and output, one JSON each, and the secrets of
 * orders on descriptor 3, as their length in 4 bytes and their bytes. Under it are the shipped Kotlin, Java, C and Swift, and the
 * stand-ins of Android and Expo. It ends with its input.
 */
public final class AndroidHost {
    private final PrintStream output = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    private final DataInputStream secrets;
    private final AppContext app;
    private final ModuleDefinitionData module;
    private final Activity activity;
    private View field;
    private View words;
    private InputConnection keys;
    private Map<String, ?> entry;
    private boolean isPromptUp;
    private String shown = "";
    private double lastTicket;
    /** The threads that called key store and files, each vault's one, in the order of their first call. */
    private final List<Thread> workers = new ArrayList<>();
    private int calls;
    private boolean areMixed;

    private AndroidHost(String folder) throws ReflectiveOperationException {
        FileDescriptor descriptor = new FileDescriptor();
        Field number = FileDescriptor.class.getDeclaredField("fd");
        number.setAccessible(true);
        number.setInt(descriptor, 3);
        secrets = new DataInputStream(new FileInputStream(descriptor));
        Phone.start(folder, 34);
        Phone.everyCall = this::called;
        activity = Phone.launch();
        ReactContext context = new ReactContext();
        context.set_lifecycleState(LifecycleState.RESUMED);
        app = new AppContext(context, (name, body) -> {
            if (name.equals("onChange")) tell();
            else entry = body;
            return Unit.INSTANCE;
        });
        app.set_activity(activity);
        ThumbturnModule made = new ThumbturnModule();
        made.set_appContext(app);
        module = made.definition();
    }

    public static void main(String[] arguments) throws Exception {
        AndroidHost host = new AndroidHost(arguments[0]);
        host.call("open", configuration("en"));
        Thread watcher = new Thread(host::watch);
        watcher.setDaemon(true);
        watcher.start();
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null; line = lines.readLine()) host.order(new JSONObject(line));
        Runtime.getRuntime().halt(0);
    }

    private static String configuration(String language) {
        return "{\"language\":\"" + language + "\",\"policy\":\"wallet\",\"secret\":{\"kind\":\"pin\",\"length\":6}}";
    }

    /** Calls a function of the module, as JavaScript does. */
    private Object call(String function, Object... arguments) {
        return module.get_functions().get(function).invoke(Arrays.asList(arguments));
    }

    private void order(JSONObject order) throws Exception {
        long id = order.getLong("id");
        if (order.has("act")) {
            act(id, order.getJSONObject("act"), order.has("number") ? (Object) order.getDouble("number") : null);
        } else if (order.has("cancelLast") || order.has("cancelNext")) {
            call("cancel", lastTicket + (order.has("cancelNext") ? 1 : 0));
            answer(id, new JSONObject());
        } else if (order.has("owner")) {
            call("ownerSecret", order.getJSONObject("owner").toString(), null, answering(id));
        } else if (order.has("derive")) {
            call("derivedKey", order.getString("derive"), answering(id));
        } else if (order.has("isAsking")) {
            answer(id, new JSONObject().put("isAsking", call("isAsking")));
        } else if (order.has("show")) {
            double number = order.getDouble("show");
            if (order.has("again")) words = null;
            answer(id, onMain(() -> show(number)));
        } else if (order.has("type")) {
            String use = order.optString("use", "vault");
            answer(id, onMain(() -> type(order.getString("type"), use)));
        } else if (order.has("leave")) {
            answer(id, onMain(this::leave));
        } else if (order.has("open")) {
            call("open", order.getString("open"));
            // The former vault is closed first.
            onMain(() -> null);
            while (!isFaulted() && call("fields") == null) Thread.sleep(2);
            answer(id, new JSONObject().put("isFaulted", isFaulted()));
        } else if (order.has("destroy")) {
            // The context was collected before its module ended.
            app.set_reactContext(null);
            module.get_onDestroy().invoke();
            answer(id, new JSONObject());
        } else if (order.has("slow")) {
            synchronized (workers) {
                for (int count = order.getInt("slow"); count > 0; count--) Phone.fault("slow");
                calls = 0;
            }
            answer(id, new JSONObject());
        } else if (order.has("calls")) {
            answer(id, calls(order.getInt("calls")));
        } else if (order.has("reload")) {
            module.get_onDestroy().invoke();
            call("open", configuration("en"));
            answer(id, new JSONObject());
        } else {
            happen(order.getString("world"));
            tell();
            answer(id, new JSONObject().put("error", JSONObject.NULL));
        }
    }

    private void act(long id, JSONObject action, Object number) throws Exception {
        if (action.getString("name").equals("language")) {
            call("open", configuration(action.getString("language")));
            while (!hasVault(action.getString("language"))) Thread.sleep(2);
            tell();
            answer(id, new JSONObject().put("error", JSONObject.NULL));
            return;
        }
        Object secret = number == null && action.has("secret") ? receive() : number;
        call("send", ++lastTicket, action.toString(), secret, answering(id));
    }

    private void called() {
        synchronized (workers) {
            calls++;
            workers.notifyAll();
            Thread worker = Thread.currentThread();
            if (!workers.contains(worker)) workers.add(worker);
            if (workers.get(workers.size() - 1) != worker) areMixed = true;
        }
    }

    /** Waits until the device was called so often since the order to be slow; says which vaults called it. */
    private JSONObject calls(int count) throws Exception {
        synchronized (workers) {
            while (calls < count) workers.wait();
            return new JSONObject().put("areMixed", areMixed).put("vaults", workers.size());
        }
    }

    /** What happens around the phone, in the words of `thumbturn simulate`. */
    private void happen(String words) {
        String[] parts = words.split(" ");
        switch (parts[0]) {
            case "finger":
                Phone.touch(parts[1]);
                break;
            case "advance":
                // Nothing tells an app that is in front that time passed by itself.
                long minutes = Long.parseLong(parts[1].replace("m", ""));
                Phone.happen("background");
                Phone.happen("advance " + minutes * 60_000);
                Phone.happen("foreground");
                break;
            default:
                if (!Phone.happen(words)) throw new IllegalArgumentException(words);
        }
    }

    // ---- The native views ----

    private JSONObject type(String text, String use) throws JSONException {
        if (field == null) field = make("ThumbturnSecretField", "kind", "pin");
        set(field, "ThumbturnSecretField", "use", use);
        View inside = ((ViewGroup) field).views.get(0);
        inside.performClick();
        EditorInfo wanted = new EditorInfo();
        keys = inside.onCreateInputConnection(wanted);
        for (char key : text.toCharArray()) {
            if (key == '<') keys.deleteSurroundingText(1, 0);
            else keys.commitText(String.valueOf(key), 1);
        }
        Canvas canvas = new Canvas();
        inside.draw(canvas);
        return told().put("dots", canvas.circles).put("inputType", wanted.inputType).put("imeOptions", wanted.imeOptions)
            .put("isKeyboardUp", InputMethodManager.shown == inside).put("autofill", inside.autofill)
            .put("found", "" + keys.getTextBeforeCursor(9, 0) + keys.getTextAfterCursor(9, 0)).put("selected", keys.getSelectedText(0) != null);
    }

    /** Shows what an action gave, in a new view where there is none, and says what it draws now. */
    private JSONObject show(double number) throws JSONException {
        if (words == null) words = make("ThumbturnSecretText", "number", number);
        Canvas canvas = new Canvas();
        ((ViewGroup) words).views.get(0).draw(canvas);
        return new JSONObject().put("drawn", canvas.text);
    }

    private View make(String name, String property, Object value) {
        View made = module.get_views().get(name)._make(app.getReactContext(), app);
        set(made, name, property, value);
        return made;
    }

    private void set(View view, String name, String property, Object value) {
        module.get_views().get(name).get_props().get(property).invoke(view, value);
    }

    private JSONObject leave() throws JSONException {
        field.leave();
        return told();
    }

    private JSONObject told() throws JSONException {
        return new JSONObject().put("handle", entry.get("handle")).put("length", entry.get("length"));
    }

    // ---- The pipes ----

    private String receive() throws IOException {
        byte[] bytes = new byte[secrets.readInt()];
        secrets.readFully(bytes);
        return new String(bytes, StandardCharsets.UTF_8); // as JavaScript gives it
    }

    private Promise answering(long id) {
        return new Promise() {
            @Override
            public void resolve(Object value) {
                try {
                    answer(id, new JSONObject((String) value));
                } catch (JSONException failure) {
                    throw new IllegalStateException(failure);
                }
            }

            @Override
            public void resolve(String value) {
                resolve((Object) value);
            }

            @Override
            public void reject(String code, String message, Throwable cause) {
                throw new IllegalStateException(message, cause);
            }
        };
    }

    private synchronized void answer(long id, JSONObject answer) throws JSONException {
        output.println(new JSONObject().put("answer", answer).put("id", id));
    }

    /** Whether the module's fields can't be read: no vault could be opened. */
    private boolean isFaulted() {
        try {
            call("fields");
            return false;
        } catch (IllegalStateException failure) {
            return true;
        }
    }

    private boolean hasVault(String language) throws JSONException {
        String text = (String) call("fields");
        if (text == null) return false;
        JSONObject value = new JSONObject(text);
        return value.getString("language").equals(language) && !value.getJSONObject("screens").isNull("unlock");
    }

    /** Writes what the phone shows, where it is another thing. */
    private synchronized void tell() {
        try {
            if (isFaulted()) return;
            String value = (String) call("fields");
            if (value == null) return;
            JSONObject world = new JSONObject().put("prompt", Phone.isPromptUp() ? new JSONObject() : JSONObject.NULL);
            String state = new JSONObject().put("state", new JSONObject().put("host", new JSONObject(value)).put("world", world)).toString();
            if (state.equals(shown)) return;
            shown = state;
            output.println(state);
        } catch (JSONException failure) {
            throw new IllegalStateException(failure);
        }
    }

    /** A prompt is the system's: nothing tells the app when it comes or goes. */
    private void watch() {
        try {
            while (true) {
                if (Phone.isPromptUp() != isPromptUp) {
                    isPromptUp = !isPromptUp;
                    tell();
                }
                Thread.sleep(2);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static <T> T onMain(Callable<T> work) throws Exception {
        return Phone.mainThread().submit(work).get();
    }
}
