-- What the sweep of replaced keys goes by; a key in force is not in it.
create index api_keys_by_expiry on api_keys (expires_at) where expires_at is not null;
