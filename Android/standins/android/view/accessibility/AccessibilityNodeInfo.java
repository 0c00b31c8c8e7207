package android.view.accessibility;

public class AccessibilityNodeInfo {
    public boolean isEditable;
    public boolean isPassword;
    public CharSequence text;

    public void setClassName(CharSequence name) {}

    public void setEditable(boolean editable) {
        isEditable = editable;
    }

    public void setPassword(boolean password) {
        isPassword = password;
    }
}
