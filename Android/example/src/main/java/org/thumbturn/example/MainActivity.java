package org.thumbturn.example;

import android.app.Activity;
import android.os.Bundle;
import android.view.View;
import android.widget.Button;
import android.widget.LinearLayout;
import android.widget.TextView;
import java.nio.ByteBuffer;
import org.json.JSONArray;
import org.json.JSONException;
import org.json.JSONObject;
import org.thumbturn.device.ThumbturnVault;

/**
 * A vault's first start and its lock, on one screen. The value says which screen is up, with its title, texts and what can be
 * done now; this draws it, and gives back the action of the button that was pressed.
 *
 * <p>Android/device guards the window (FLAG_SECURE), covers it at a pause and locks the vault: there is no such line here.
 */
public final class MainActivity extends Activity {
    private static final String CONFIGURATION =
        "{\"language\":\"en\",\"policy\":\"wallet\",\"secret\":{\"kind\":\"pin\",\"length\":" + Pad.LENGTH + "}}";
    private static final String LOCK = "{\"name\":\"lock\",\"screen\":\"unlock\"}";

    // One for the process: an activity comes and goes.
    private static ThumbturnVault vault;
    private static MainActivity shown;

    private LinearLayout page;
    private Pad pad;

    @Override
    protected void onCreate(Bundle state) {
        super.onCreate(state);
        page = new LinearLayout(this);
        page.setOrientation(LinearLayout.VERTICAL);
        page.setPadding(64, 128, 64, 64);
        setContentView(page);
        shown = this;
        if (vault == null) vault = ThumbturnVault.open(getApplication(), this, CONFIGURATION, new Told());
        draw(vault.fields());
    }

    @Override
    protected void onDestroy() {
        if (shown == this) shown = null;
        if (pad != null) pad.close();
        super.onDestroy();
    }

    /** What the vault tells, on the main thread. */
    private static final class Told implements ThumbturnVault.Listener {
        @Override
        public void changed(String value) {
            if (shown != null) shown.draw(value);
        }

        @Override
        public void lent(long ticket, ByteBuffer secret) {
            // A recovery key or exported words: this example asks for neither.
        }
    }

    private void draw(String value) {
        if (value == null) return;
        try {
            drawScreen(new JSONObject(value).getJSONObject("screens"));
        } catch (JSONException failure) {
            throw new IllegalStateException(failure);
        }
    }

    private void drawScreen(JSONObject screens) throws JSONException {
        JSONObject app = screens.getJSONObject("app");
        String name = app.getString("screen");
        JSONObject screen = app;
        if (name.equals("onboarding")) screen = screens.getJSONObject("onboarding");
        if (name.equals("vault")) screen = screens.getJSONObject("unlock");
        if (pad != null) pad.close();
        pad = null;
        page.removeAllViews();

        if (!screen.isNull("title")) text(screen.getString("title"));
        JSONArray texts = screen.getJSONArray("texts");
        for (int i = 0; i < texts.length(); i++) text(texts.getString(i));
        if (!screen.isNull("error")) text(screen.getJSONObject("error").getString("message"));
        JSONArray offers = screen.getJSONArray("offers");
        for (int i = 0; i < offers.length(); i++) offer(offers.getJSONObject(i));

        JSONObject lock = screen.optJSONObject("screen");
        if (lock != null && lock.getString("name").equals("content")) {
            text("Open. Your app's own screens go here.");
            button("Lock", pressed -> vault.send(LOCK, null, ended -> {}));
        }
    }

    /** An action that is offered now. What has to be typed, as a recovery key or a phrase, is left to an app's own fields. */
    private void offer(JSONObject offer) throws JSONException {
        JSONObject action = offer.getJSONObject("action");
        if (action.has("typed") || action.has("wallet") || action.getString("name").equals("submitRecoveryKey")) return;
        String label = offer.getString("label");
        if (action.has("secret")) {
            if (pad != null) return;
            pad = new Pad(this, secret -> vault.send(action.toString(), secret, ended -> {}));
            page.addView(pad);
        } else {
            button(label, pressed -> vault.send(action.toString(), null, ended -> {}));
        }
    }

    private void text(String text) {
        TextView view = new TextView(this);
        view.setText(text);
        view.setTextSize(18);
        page.addView(view);
    }

    private void button(String label, View.OnClickListener pressed) {
        Button button = new Button(this);
        button.setText(label);
        button.setOnClickListener(pressed);
        page.addView(button);
    }
}
