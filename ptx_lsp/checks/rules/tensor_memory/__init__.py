"""W84x: Tensor Memory: allocation, and what an accumulation begins with."""
