/// Why a store refused; says nothing about what is in it.
package enum StoreError: Error, Equatable, Sendable {
    /// The database can't be reached, or does not answer. Nothing changed; later calls try anew by themselves.
    case unavailable
    /// It went while a transaction was being committed: that is stored as a whole, or not at all.
    case uncertain
    /// Others held what the transaction needs for too long, or kept getting in its way. Nothing changed.
    case busy
    /// The disk, or what the database may use of the memory, is full. Nothing changed.
    case full
    /// A row broke a constraint of the schema. Nothing changed.
    case conflict
    /// The tables, or what is in them, are not what this program writes.
    case damaged
    /// A sealed value was changed, or is not of this account, column, row or epoch.
    case tampered
    /// A value was sealed under a service key that the key's file does not hold.
    case keyMissing
    /// A newer version made the tables, whose number this carries.
    case newerFormat(Int64)
    /// The file, or its folder, could be read or replaced by others.
    case unsafeFile
    /// There is no such file, and none was to be made.
    case absent
    /// The file's folder is not there, nor the one in which that could be made.
    case folderMissing
    /// Anything else: PostgreSQL's state of five characters, or SQLite's code.
    case other(String)
}
