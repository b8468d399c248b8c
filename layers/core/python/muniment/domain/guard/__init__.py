"""What may never be stored: secrets, orders to the reader, raw dumps (rule 14)."""
