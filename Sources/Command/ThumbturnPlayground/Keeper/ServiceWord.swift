/// What happens to the account service: words of the world that the phone's device does not know.
enum ServiceWord: String, CaseIterable {
    /// It ends, and nobody answers at its address.
    case away = "service away"
    /// It starts again, with its accounts and at the same address.
    case back = "service back"
}
