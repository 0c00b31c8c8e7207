// expect: warnings found and -Werror specified
import java.util.ArrayList;
import java.util.List;

final class Raw {
    static List names() {
        return new ArrayList<String>();
    }
}
