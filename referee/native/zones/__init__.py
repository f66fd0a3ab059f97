"""What lies in zones: how it lies in memory, and what is asked of it there. Read `zone_layout`, then `zone_ir`."""
