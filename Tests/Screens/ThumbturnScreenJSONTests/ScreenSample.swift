import ThumbturnJSON
import ThumbturnRules

/// One screen in one state.
struct ScreenSample {
    /// The screen's name, and the state's.
    let name: String
    /// The screen's JSON.
    let json: (Language) -> JSON
    /// The names of the value's fields.
    let fields: [String]

    init<Fields>(_ name: String, _ fields: @escaping (Language) -> Fields, _ json: @escaping (Fields, Language) -> JSON)
    {
        self.name = name
        self.json = { language in json(fields(language), language) }
        self.fields = Mirror(reflecting: fields(.english)).children.compactMap(\.label)
    }

    /// What the sample's file has: the screen in each language.
    var both: JSON { ["en": json(.english), "fr": json(.french)] }
}
