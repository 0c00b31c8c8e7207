// What Swift calls these types.
extension LAEnvironment {
    public typealias Observer = LAEnvironmentObserver
    public typealias State = LAEnvironmentState
}
